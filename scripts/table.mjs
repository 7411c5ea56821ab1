/**
 * Rows as aligned text: the first row is the heading, numbers stand to the right.
 * @param {string[]} heading
 * @param {(string | number)[][]} rows
 * @param {string} [indent]
 */
export function table(heading, rows, indent = '  ') {
  const cells = [heading, ...rows.map((row) => row.map(text))];
  const widths = heading.map((_, column) =>
    Math.max(...cells.map((row) => row[column]?.length ?? 0)),
  );
  const numeric = heading.map((_, column) => rows.every((row) => typeof row[column] === 'number'));
  const lines = cells.map((row) =>
    row
      .map((cell, column) => {
        const width = widths[column] ?? 0;
        return numeric[column] ? cell.padStart(width) : cell.padEnd(width);
      })
      .join('  ')
      .trimEnd(),
  );
  return lines.map((line) => indent + line).join('\n');
}

/** @param {string | number} cell */
function text(cell) {
  return typeof cell === 'number' ? cell.toLocaleString('en-US') : cell;
}
