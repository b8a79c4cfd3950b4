/** What a JSDoc comment says. */
export interface JsDoc {
  /** The text before the first tag, in Markdown. */
  readonly description: string
  readonly examples: readonly string[]
  readonly experimental: boolean
  readonly deprecated: string | undefined
}

/** Reads a comment, with or without its marks. */
export function parseJsDoc(comment: string): JsDoc {
  const lines = comment
    .replace(/^\/\*\*?/, '')
    .replace(/\*\/$/, '')
    .split('\n')
    .map((line) => line.replace(/^\s*\*+ ?/, '').trimEnd())
  const parts: { readonly tag: string; readonly lines: string[] }[] = [{ tag: '', lines: [] }]
  for (const line of lines) {
    const tag = /^\s*@(\w+) ?(.*)$/.exec(line)
    if (tag === null) parts.at(-1)?.lines.push(line)
    else parts.push({ tag: tag[1] ?? '', lines: [tag[2] ?? ''] })
  }
  const textsOf = (tag: string): string[] => parts.filter((part) => part.tag === tag).map((part) => part.lines.join('\n').trim())
  return {
    description: textsOf('').join('\n').trim(),
    examples: textsOf('example').map((code) => code.replaceAll(String.raw`\@`, '@')),
    experimental: textsOf('experimental').length > 0,
    deprecated: textsOf('deprecated')[0],
  }
}
