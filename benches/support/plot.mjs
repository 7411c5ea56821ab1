/**
 * @typedef {object} Plot
 * @property {string} title
 * @property {string} x what is counted to the right
 * @property {string} y what is counted upwards
 * @property {Series[]} series
 */

/** @typedef {{ name: string, points: [x: number, y: number][] }} Series */
/** @typedef {(value: number) => number} Axis where a value stands, in pixels */

const WIDTH = 720;
const HEIGHT = 400;
/** What the axes span; the names of the series stand to the right of it. */
const AREA = { left: 86, top: 50, right: 530, bottom: 340 };
/** Told apart by shape too, for those who see colours differently. */
const SHAPES = ['circle', 'square', 'triangle', 'diamond'];

// It brings its own background, since it may be shown on any.
const STYLE = `
  text { font: 13px system-ui, sans-serif; fill: #24292f }
  .title { font-size: 15px; font-weight: 600 }
  .card { fill: #ffffff; stroke: #d0d7de }
  .grid { stroke: #d8dee4; fill: none }
  .axis { stroke: #57606a; fill: none }
  .line { stroke-width: 2; fill: none }
  .c0 { stroke: #0060a8 } .f0 { fill: #0060a8 }
  .c1 { stroke: #b84500 } .f1 { fill: #b84500 }
  .c2 { stroke: #007a56 } .f2 { fill: #007a56 }
  .c3 { stroke: #9b3d78 } .f3 { fill: #9b3d78 }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3 }
    .card { fill: #161b22; stroke: #30363d }
    .grid { stroke: #30363d }
    .axis { stroke: #8b949e }
    .c0 { stroke: #58a6ff } .f0 { fill: #58a6ff }
    .c1 { stroke: #f0883e } .f1 { fill: #f0883e }
    .c2 { stroke: #3fb98a } .f2 { fill: #3fb98a }
    .c3 { stroke: #e58fc3 } .f3 { fill: #e58fc3 }
  }`;

/**
 * Lines over two logarithmic axes, as SVG. The same numbers give the same text.
 * @param {Plot} plot
 */
export function svgOf({ title, x, y, series }) {
  const points = series.flatMap((one) => one.points);
  const across = spanOf(points.map(([value]) => value));
  const up = decadesOf(points.map(([, value]) => value));
  const atX = axis(across, AREA.left, AREA.right);
  const atY = axis(up, AREA.bottom, AREA.top);
  const height = AREA.bottom - AREA.top;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" role="img">
<title>${title}</title>
<style>${STYLE}
</style>
<rect class="card" x="0.5" y="0.5" width="${WIDTH - 1}" height="${HEIGHT - 1}" rx="6"/>
${text(AREA.left, 28, title, 'class="title"')}
${xTicks(across)
  .map((value) => vertical(atX(value), countOf(value)))
  .join('\n')}
${powersIn(up)
  .map((value) => horizontal(atY(value), durationOf(value)))
  .join('\n')}
<path class="axis" d="M${AREA.left} ${AREA.top}v${height}H${AREA.right}"/>
${text((AREA.left + AREA.right) / 2, HEIGHT - 18, x, 'text-anchor="middle"')}
${text(0, 0, y, `text-anchor="middle" transform="translate(20 ${AREA.top + height / 2}) rotate(-90)"`)}
${series.map((one, at) => line(one, at, atX, atY)).join('\n')}
${series.map((one, at) => legend(one.name, at)).join('\n')}
</svg>
`;
}

/**
 * @param {[number, number]} span
 * @param {number} from
 * @param {number} to
 * @returns {Axis}
 */
function axis([low, high], from, to) {
  const scale = (to - from) / Math.log(high / low);
  return (value) => Math.round((from + Math.log(value / low) * scale) * 10) / 10;
}

/**
 * @param {number[]} values
 * @returns {[number, number]}
 */
function spanOf(values) {
  return [Math.min(...values), Math.max(...values)];
}

/**
 * Whole powers of ten around the values.
 * @param {number[]} values
 * @returns {[number, number]}
 */
function decadesOf(values) {
  const [low, high] = spanOf(values);
  return [10 ** Math.floor(Math.log10(low)), 10 ** Math.ceil(Math.log10(high))];
}

/** @param {[number, number]} span */
function powersIn([low, high]) {
  const first = Math.ceil(Math.log10(low) - 1e-9);
  const last = Math.floor(Math.log10(high) + 1e-9);
  return Array.from({ length: last - first + 1 }, (_, at) => 10 ** (first + at));
}

/**
 * The ends, and the powers of ten that are not too near to them.
 * @param {[number, number]} span
 */
function xTicks([low, high]) {
  return [low, ...powersIn([low * 2, high / 2]), high];
}

/**
 * @param {number} x
 * @param {string} label
 */
function vertical(x, label) {
  const height = AREA.bottom - AREA.top;
  return `<path class="grid" d="M${x} ${AREA.top}v${height}"/>${text(x, AREA.bottom + 20, label, 'text-anchor="middle"')}`;
}

/**
 * @param {number} y
 * @param {string} label
 */
function horizontal(y, label) {
  return `<path class="grid" d="M${AREA.left} ${y}H${AREA.right}"/>${text(AREA.left - 8, y + 4, label, 'text-anchor="end"')}`;
}

/**
 * @param {Series} series
 * @param {number} at
 * @param {Axis} atX
 * @param {Axis} atY
 */
function line({ points }, at, atX, atY) {
  const places = points.map(([x, y]) => /** @type {const} */ ([atX(x), atY(y)]));
  const path = places.map(([x, y]) => `${x} ${y}`).join('L');
  const marks = places.map(([x, y]) => mark(x, y, at)).join('');
  return `<path class="line c${at % SHAPES.length}" d="M${path}"/>${marks}`;
}

/**
 * @param {string} name
 * @param {number} at
 */
function legend(name, at) {
  const y = AREA.top + 14 + at * 26;
  const x = AREA.right + 24;
  return `${mark(x, y, at)}${text(x + 14, y + 4, name)}`;
}

/**
 * @param {number} x
 * @param {number} y
 * @param {number} at
 */
function mark(x, y, at) {
  const shape = SHAPES[at % SHAPES.length];
  const fill = `class="f${at % SHAPES.length}"`;
  if (shape === 'circle') return `<circle ${fill} cx="${x}" cy="${y}" r="4"/>`;
  const paths = {
    square: '-4 -4h8v8h-8z',
    triangle: '0 -5l5 9h-10z',
    diamond: '0 -5l5 5l-5 5l-5 -5z',
  };
  const path = paths[/** @type {keyof typeof paths} */ (shape)];
  return `<path ${fill} transform="translate(${x} ${y})" d="m${path}"/>`;
}

/**
 * @param {number} x
 * @param {number} y
 * @param {string} words
 * @param {string} [attributes]
 */
function text(x, y, words, attributes = '') {
  return `<text x="${x}" y="${y}" ${attributes}>${words}</text>`;
}

/** @param {number} value */
function countOf(value) {
  return value.toLocaleString('en-US');
}

/** @param {number} milliseconds a power of ten */
function durationOf(milliseconds) {
  const exponent = Math.round(Math.log10(milliseconds));
  if (exponent >= 3) return `${countOf(10 ** (exponent - 3))} s`;
  return exponent >= 0 ? `${10 ** exponent} ms` : `${10 ** (exponent + 3)} µs`;
}
