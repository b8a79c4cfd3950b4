/** Words that take back what stands beside them. */
const DOUBT = /\b(?:not?|never|or|but|if|unless|except|without|instead|maybe|was|old|former|previous|formerly|via|to|from|tb[acd])\b|\?/i

const LONGEST = 300

/**
 * The parts of a text that may be the value itself, where the rest explains it or leads to it: the code of `Paris (CDG)` or `CDG - Paris`, and the path, its
 * last part or a parameter of a link. Only one of them may fit.
 */
export function explainedParts(text: string): readonly string[] {
  if (text.length > LONGEST) return []
  const [, first = '', second = ''] = /^([^()]+?)\s*\(([^()]+)\)$/.exec(text) ?? /^(\S+)\s+[-–—]\s+(.+)$/.exec(text) ?? /^(.+?)\s+[-–—]\s+(\S+)$/.exec(text) ?? /^([^,]+),\s+([^,]+)$/.exec(text) ?? /^(\p{Lu}\p{Ll}+(?: \p{Lu}\p{Ll}+)?) (\p{Lu}[\p{Lu}\d-]+)$/u.exec(text) ?? []
  if (first !== '' && !DOUBT.test(first) && !DOUBT.test(second)) return [first, second]
  return linkedParts(text)
}

function linkedParts(text: string): readonly string[] {
  const cloned = /^git@[\w.-]+:([\w.-]+\/[\w.-]+?)(?:\.git)?$/.exec(text)?.[1]
  if (cloned !== undefined) return [cloned]
  // `s3://name`, `doi:10.1000/182` and `urn:isbn:9780306406157` say what kind of name follows.
  const named = /^(?:[a-z][\w+.-]{1,15}:(?:\/\/)?)+([^\s:]+?)\/?$/.exec(text)?.[1]
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return named === undefined || DOUBT.test(text.slice(0, -named.length)) ? [] : [named]
  const { pathname, searchParams } = new URL(text)
  const path = decoded(pathname).replace(/^\/|\/$/g, '')
  const last = path.split('/').at(-1) ?? ''
  return [...new Set([path, last, last.replace(/\.git$/, ''), path.replace(/\.git$/, ''), ...searchParams.values()])].filter((each) => each !== '')
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** The name of the host of a link that leads to nothing else on it. */
export function hostOf(text: string): string | undefined {
  return /^https?:\/\/([^/:?#@]+)\/?$/i.exec(text)?.[1]
}
