import { escapeHtml } from './escape-html.ts'

interface Language {
  readonly comment: string
  readonly words: readonly string[]
}

const SCRIPT: Language = {
  comment: String.raw`//[^\n]*|/\*[\s\S]*?\*/`,
  words: (
    'abstract as async await break case catch class const continue declare default delete do else enum export extends false finally for from ' +
    'function get if implements import in infer instanceof interface is keyof let new null of override private protected public readonly ' +
    'return satisfies set static super switch this throw true try type typeof undefined unique using void while yield ' +
    'any bigint boolean never number object string symbol unknown'
  ).split(' '),
}
const SHELL: Language = {
  comment: String.raw`#[^\n]*`,
  words: ['cd', 'export', 'git', 'node', 'npm', 'npx', 'docker', 'psql', 'toolwright'],
}
const PLAIN: Language = { comment: '(?!)', words: [] }

const LANGUAGES: Readonly<Record<string, Language>> = {
  ts: SCRIPT,
  java: { ...SCRIPT, words: [...SCRIPT.words, 'boolean', 'double', 'final', 'int', 'package', 'record', 'throws', 'var'] },
  json: { ...SCRIPT, words: ['true', 'false', 'null'] },
  jsonc: { ...SCRIPT, words: ['true', 'false', 'null'] },
  sh: SHELL,
  yaml: { ...SHELL, words: ['true', 'false', 'null'] },
  toml: { ...SHELL, words: ['true', 'false'] },
  dockerfile: { ...SHELL, words: ['CMD', 'COPY', 'ENV', 'EXPOSE', 'FROM', 'RUN', 'USER', 'WORKDIR'] },
  sql: {
    comment: '--[^\n]*',
    words: ['select', 'from', 'where', 'insert', 'into', 'update', 'create', 'grant', 'on', 'to', 'in', 'schema', 'role'],
  },
}

const TEXT = String.raw`'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|` + '`(?:\\\\.|[^`\\\\])*`'

/** Where a name leads, if anywhere. `isCall` says that parentheses follow it. */
export type NameLink = (name: string, isCall?: boolean) => string | undefined

/** Code as HTML with marked comments, texts, numbers and words of the language. Names that `linkOf` knows become links. */
export function highlight(code: string, language: string, linkOf: NameLink = () => undefined): string {
  const { comment, words } = LANGUAGES[language] ?? PLAIN
  if (comment === PLAIN.comment) return escapeHtml(code)
  const tokens = new RegExp(
    `(?<comment>${comment})|(?<text>${TEXT})|(?<number>\\b\\d[\\w.]*)|(?<before>[.]?)(?<name>[\\p{L}_$][\\w$]*)`,
    'gu',
  )
  let html = ''
  let end = 0
  for (const match of code.matchAll(tokens)) {
    html += escapeHtml(code.slice(end, match.index))
    end = match.index + match[0].length
    const { comment: remark, text, number, before = '', name = '' } = match.groups ?? {}
    if (remark !== undefined) html += marked('comment', remark)
    else if (text !== undefined) html += marked('text', text)
    else if (number !== undefined) html += marked('number', number)
    else {
      // A field of a record is not the name of something else, even if the letters are the same.
      const isField = before !== '' || /^\??:/.test(code.slice(end, end + 2))
      html += before + nameAsHtml(name, !isField && words.includes(name), isField ? undefined : linkOf(name))
    }
  }
  return html + escapeHtml(code.slice(end))
}

function nameAsHtml(name: string, isWord: boolean, link: string | undefined): string {
  if (isWord) return marked('word', name)
  return link === undefined ? escapeHtml(name) : `<a href="${escapeHtml(link)}">${escapeHtml(name)}</a>`
}

function marked(kind: string, text: string): string {
  return `<span class="t-${kind}">${escapeHtml(text)}</span>`
}
