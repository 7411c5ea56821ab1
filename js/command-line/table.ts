/**
 * A line per row, with aligned columns: the first to the left, the others, which are numbers, to the
 * right.
 */
export function table(rows: readonly (readonly string[])[]): string[] {
  const [heading = []] = rows;
  const widths = heading.map((_, column) => Math.max(...rows.map((row) => width(row, column))));
  const lines = rows.map((row) =>
    row.map((cell, column) => {
      const room = widths[column] as number;
      return column === 0 ? cell.padEnd(room) : cell.padStart(room);
    }),
  );
  return lines.map((cells) => cells.join('  ').trimEnd());
}

function width(row: readonly string[], column: number): number {
  return row[column]?.length ?? 0;
}
