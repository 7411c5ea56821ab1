const TOKEN = /\\(.)|(\*)|(\?)|(\[\^?[^\]\\]+\])|./gs;

/**
 * A pattern as a regular expression over bytes as latin1. Escapes within a class and classes that
 * are not closed are not known here.
 */
export function globExpression(pattern: Buffer): RegExp {
  const source = pattern
    .toString('latin1')
    .replace(TOKEN, (token, escaped?: string, any?: string, one?: string, set?: string) => {
      if (any) return '.*';
      return one ? '.' : (set ?? literal(escaped ?? token));
    });
  return new RegExp(`^${source}$`, 's');
}

function literal(byte: string): string {
  return `\\x${byte.charCodeAt(0).toString(16).padStart(2, '0')}`;
}
