import { ToolError } from '../../../tool/errors/tool-error.ts'

const DOMAIN = /^(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z][a-z\d-]{0,61}[a-z\d]$/

/** A domain in its one form: ASCII, small letters. A text that is none is refused, since some engines would take it for a part of the query. */
export function domainOf(text: string): string {
  const host = URL.parse(`http://${text.replace(/^https?:\/\//i, '').replace(/^\*?\./, '')}`)
  const name = host === null || host.username !== '' ? '' : host.hostname.replace(/\.$/, '')
  if (host === null || host.pathname !== '/' || host.search !== '' || host.hash !== '' || host.port !== '' || !DOMAIN.test(name))
    throw new ToolError(`'${text.slice(0, 100)}' is not a domain. Use a name such as example.com.`, {
      code: 'invalid_input',
      outcome: 'not_started',
    })
  return name
}

/** Whether a URL is of a domain, or of a host below it. */
export function isOfDomain(url: string, domain: string): boolean {
  const host = URL.parse(url)?.hostname.replace(/\.$/, '')
  return host === domain || host?.endsWith(`.${domain}`) === true
}
