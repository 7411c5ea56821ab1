import { type AnyNode, type Comment, parse } from 'acorn';
import { full } from 'acorn-walk';

/**
 * A comment that says what a statement gives. It stands behind the statement on its line, or at
 * once below it; every other comment is prose, and begins a paragraph of the code.
 */
interface Result {
  readonly statement: Statement;
  /** As Node.js prints it; `...` stands for anything. */
  readonly text: string;
}

type Statement = Extract<AnyNode, { type: 'ExpressionStatement' | 'VariableDeclaration' }>;

interface Remark {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

export interface Program {
  /** An ES module whose default export runs the block. */
  readonly source: string;
  /** What it says of its results, by the number that it gives to `stated`. */
  readonly results: readonly string[];
  /** The block without its prose. */
  readonly code: string;
}

const FAILURE = /^\w*Error: /;

/**
 * Makes a program of a code block.
 *
 * @param names that the block, and what is given, find at hand
 * @throws an Error for a comment that is neither prose nor a result
 */
export function programOf(text: string, given: string, names: readonly string[]): Program {
  const comments: Comment[] = [];
  const options = { ecmaVersion: 'latest', sourceType: 'module' } as const;
  const tree = parse(text, { ...options, onComment: comments });
  const statements: Statement[] = [];
  full(tree, (node) => {
    if (node.type === 'ExpressionStatement' || node.type === 'VariableDeclaration')
      statements.push(node as Statement);
  });
  const results: Result[] = [];
  const prose: Remark[] = [];
  for (const remark of remarksOf(text, comments)) {
    const statement = statementOf(remark, text, statements);
    if (statement) results.push({ statement, text: squeezed(remark.text) });
    else if (beginsParagraph(remark, text)) prose.push(remark);
    else throw new Error(`neither prose nor a result: ${remark.text}`);
  }
  const imports = tree.body.filter((node) => node.type === 'ImportDeclaration');
  const edits = results.flatMap(({ statement, text: said }, at) =>
    editsFor(statement, said, at, text),
  );
  const body = edited(text, [...edits, ...imports.map((node) => ({ ...node, to: '' }))]);
  const source = [
    ...imports.map((node) => text.slice(node.start, node.end)),
    `export default async ({ ${[...names, 'stated'].join(', ')} }) => {`,
    given,
    `{\n${body}\n}\n};\n`,
  ].join('\n');
  const code = edited(
    text,
    prose.map((remark) => ({ ...remark, to: '' })),
  );
  return { source, results: results.map((result) => result.text), code: squeezed(code) };
}

export function squeezed(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** The comments, with those that go on from line to line as one. */
function remarksOf(text: string, comments: readonly Comment[]): Remark[] {
  const remarks: Remark[] = [];
  for (const { value, start, end } of comments) {
    const last = remarks.at(-1);
    if (last && text.slice(last.end, start).match(/^\n *$/)) {
      remarks[remarks.length - 1] = { ...last, end, text: `${last.text}\n${value}` };
    } else {
      remarks.push({ text: value, start, end });
    }
  }
  return remarks;
}

function statementOf(
  remark: Remark,
  text: string,
  statements: readonly Statement[],
): Statement | undefined {
  const ended = statements.filter(
    ({ end }) => end < remark.start && /^ *\n? *$/.test(text.slice(end, remark.start)),
  );
  return ended.sort((a, b) => b.start - a.start)[0];
}

function beginsParagraph({ start }: Remark, text: string): boolean {
  return /(^|\n\s*\n|[{[(,]\n) *$/.test(text.slice(0, start));
}

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly to: string;
}

function editsFor(statement: Statement, said: string, at: number, text: string): Edit[] {
  const { start, end } = statement;
  if (statement.type === 'VariableDeclaration') {
    const [first, second] = statement.declarations;
    if (!first || second) throw new Error(`one name per declaration: ${said}`);
    const made = text.slice(first.id.start, first.id.end);
    return [{ start: end, end, to: ` stated.gives(${at}, (${made}));` }];
  }
  const { expression } = statement;
  const made = text.slice(expression.start, expression.end);
  if (FAILURE.test(said)) {
    return [{ start, end, to: `await stated.fails(${at}, async () => (${made}));` }];
  }
  const printed = /^console\.log\(([\s\S]*)\)$/.exec(made);
  if (printed) return [{ start, end, to: `stated.prints(${at}, [${printed[1]}]);` }];
  return [{ start, end, to: `stated.gives(${at}, (${made}));` }];
}

function edited(text: string, edits: readonly Edit[]): string {
  let result = text;
  for (const { start, end, to } of [...edits].sort((a, b) => b.start - a.start)) {
    result = result.slice(0, start) + to + result.slice(end);
  }
  return result;
}
