import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import GithubSlugger from 'github-slugger';
import { marked, type Token, type Tokens } from 'marked';
import { root } from '../../scripts/run.mjs';

/** A code block of a document. */
export interface Block {
  /** The heading it stands under, and which block of the document it is. */
  readonly title: string;
  /** Empty for one that is indented instead of fenced. */
  readonly language: string;
  readonly text: string;
  /** What a comment `<!-- given: ... -->` above the block takes for granted, as code. */
  readonly given: string;
  /** The reason in a comment `<!-- not run: ... -->` above the block, or null without one. */
  readonly notRun: string | null;
}

const MARKER = /^<!-- (given|not run): ([\s\S]+?) -->\s*$/;

/** The Markdown documents of this repository that a reader is sent to. */
export function documentNames(): string[] {
  const top = readdirSync(root).filter((file) => file.endsWith('.md'));
  const docs = readdirSync(join(root, 'docs')).filter((file) => file.endsWith('.md'));
  return [...top, ...docs.map((file) => `docs/${file}`)].sort();
}

/** @param name its path from the root of the repository */
export function textOf(name: string): string {
  return readFileSync(join(root, name), 'utf8');
}

export function blocksOf(markdown: string): Block[] {
  const blocks: Block[] = [];
  let heading = '';
  let marker: { kind?: string | undefined; text: string } = { text: '' };
  for (const token of marked.lexer(markdown)) {
    if (token.type === 'space') continue;
    if (token.type === 'heading') heading = token.text;
    if (token.type === 'code') {
      const title = `${heading}, block ${blocks.length + 1}`;
      blocks.push({
        title,
        language: token.lang ?? '',
        text: token.text,
        given: marker.kind === 'given' ? marker.text : '',
        notRun: marker.kind === 'not run' ? marker.text : null,
      });
    }
    const [, kind, text = ''] = token.type === 'html' ? (MARKER.exec(token.raw) ?? []) : [];
    marker = { kind, text };
  }
  return blocks;
}

/** How many code blocks there are at any depth, in lists and quotes too. */
export function countBlocks(markdown: string): number {
  return only('code', markdown).length;
}

/** Where the links of a document lead, in order. */
export function linksOf(markdown: string): string[] {
  return only('link', markdown).map(({ href }) => href);
}

/** The cells of all tables, row by row, with nothing but their code and numbers in any order. */
export function figuresOf(markdown: string): string[][][] {
  return only('table', markdown).map(({ rows }) =>
    rows.map((row) => row.flatMap(({ text }) => figures(text)).sort()),
  );
}

function figures(cell: string): string[] {
  return cell.replace(/\]\([^)]*\)/g, '').match(/`[^`]+`|\d[\d,.]*(?<!\D)/g) ?? [];
}

/** The names by which GitHub links to the headings of a document. */
export function anchorsOf(markdown: string): Set<string> {
  const slugger = new GithubSlugger();
  return new Set(only('heading', markdown).map(({ tokens }) => slugger.slug(plain(tokens))));
}

function plain(tokens: readonly Token[]): string {
  return tokens.map((token) => ('text' in token ? token.text : token.raw)).join('');
}

interface Kinds {
  code: Tokens.Code;
  heading: Tokens.Heading;
  link: Tokens.Link;
  table: Tokens.Table;
}

/** The tokens of a kind at any depth, in order. */
function only<Kind extends keyof Kinds>(kind: Kind, markdown: string): Kinds[Kind][] {
  const all: Kinds[Kind][] = [];
  marked.walkTokens(marked.lexer(markdown), (token) => {
    if (token.type === kind) all.push(token as Kinds[Kind]);
  });
  return all;
}
