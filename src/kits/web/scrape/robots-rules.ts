interface RobotsRule {
  readonly allow: boolean
  readonly pattern: string
}

/** The rules of a robots.txt for one program, by RFC 9309. */
export class RobotsRules {
  readonly #rules: readonly RobotsRule[]

  /** `agent` is the name of the program, without a version. */
  constructor(text: string, agent: string) {
    this.#rules = rulesFor(text.slice(0, MOST_CHARACTERS), agent.toLowerCase())
  }

  /** Whether a path with its query may be read. The longest pattern decides; of two as long, the one that allows. */
  allows(path: string): boolean {
    let best: RobotsRule | undefined
    for (const rule of this.#rules) {
      if (!matches(rule.pattern, path)) continue
      const longer = rule.pattern.length - (best?.pattern.length ?? -1)
      if (longer > 0 || (longer === 0 && rule.allow)) best = rule
    }
    return best?.allow ?? true
  }
}

/** More need not be read. */
const MOST_CHARACTERS = 512 * 1024
const MOST_RULES = 5000

function rulesFor(text: string, agent: string): readonly RobotsRule[] {
  const own: RobotsRule[] = []
  const general: RobotsRule[] = []
  let agents: string[] = []
  let isHead = false
  let named = false
  for (const line of text.split(/\r\n|\r|\n/)) {
    const [, field = '', value = ''] = /^\s*([\w-]+)\s*:\s*([^#]*)/.exec(line) ?? []
    const name = field.toLowerCase()
    if (name === 'user-agent') {
      agents = isHead ? [...agents, value.trim().toLowerCase()] : [value.trim().toLowerCase()]
      isHead = true
      named ||= agents.includes(agent)
    } else if (name === 'allow' || name === 'disallow') {
      isHead = false
      const pattern = value.trim()
      if (pattern === '' || own.length + general.length >= MOST_RULES) continue
      const rule = { allow: name === 'allow', pattern }
      if (agents.includes(agent)) own.push(rule)
      else if (agents.includes('*')) general.push(rule)
    }
  }
  // A group for this program replaces the general one, even if it has no rules.
  return named ? own : general
}

/** `*` stands for any text, `$` at the end for the end of the path. Without either, a pattern is a beginning. */
function matches(pattern: string, path: string): boolean {
  const isWhole = pattern.endsWith('$')
  const parts = (isWhole ? pattern.slice(0, -1) : pattern).split('*').map(normal)
  const target = normal(path)
  const [first = '', ...rest] = parts
  if (!target.startsWith(first)) return false
  let position = first.length
  for (const [index, part] of rest.entries()) {
    if (isWhole && index === rest.length - 1) return target.length - part.length >= position && target.endsWith(part)
    const found = target.indexOf(part, position)
    if (found < 0) return false
    position = found + part.length
  }
  return !isWhole || position === target.length
}

/** The same characters in the same form, whether they were encoded or not. */
function normal(path: string): string {
  return path
    .replaceAll(/%[\da-f]{2}/gi, (code) => code.toUpperCase())
    .replaceAll(/[^\u0021-\u007e]+/g, (text) => encodeURIComponent(text.toWellFormed()))
}
