import { excerpt } from '../../schema/quote.ts'
import { type Outcome, ToolError } from '../../tool/errors/tool-error.ts'
import { printable } from '../../tool/printable.ts'

const LONGEST_SHOWN = 200

/** A URL that must not be requested. Without another outcome, nothing was sent to it or to a host before it. */
export function urlRefused(url: string | URL, why: string, outcome: Outcome = 'not_started'): ToolError {
  return new ToolError(`The URL ${shownUrl(url)} is refused: ${why}`, { code: 'url_refused', outcome })
}

/** A host that must not be connected to. */
export function hostRefused(host: string, why: string): ToolError {
  return new ToolError(`The host '${printable(excerpt(host, LONGEST_SHOWN))}' is refused: ${why}`, {
    code: 'url_refused',
    outcome: 'not_started',
  })
}

/** A URL as a message may show it: without user, password, query and fragment, where keys are often kept. */
export function shownUrl(url: string | URL): string {
  return `'${printable(excerpt(withoutSecrets(url), LONGEST_SHOWN))}'`
}

function withoutSecrets(url: string | URL): string {
  const parsed = typeof url === 'string' ? URL.parse(url) : url
  if (parsed === null)
    return (
      String(url)
        .split(/[?#]/, 1)[0]
        ?.replace(/\/\/[^/]*@/, '//') ?? ''
    )
  return parsed.host === '' ? `${parsed.protocol}...` : `${parsed.protocol}//${parsed.host}${parsed.pathname}`
}
