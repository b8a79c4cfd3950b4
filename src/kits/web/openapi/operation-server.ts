import { isRecord } from '../../../schema/json-schema.ts'
import { quote } from '../../../schema/quote.ts'
import type { FoundOperation } from './list-operations.ts'
import type { Node, OpenApiDocument } from './openapi-document.ts'
import type { FromOpenApiOptions } from './openapi-options.ts'
import { Unfit } from './unfit.ts'

/** The address of the service of an operation, without a slash at its end. */
export function operationServer(
  document: OpenApiDocument,
  { node, shared }: FoundOperation,
  { server, serverVariables = {} }: FromOpenApiOptions,
): string {
  const given = server ?? listedServer(node) ?? listedServer(shared) ?? listedServer(document.root)
  if (given === undefined) throw new Unfit("the document names no server: set 'server'")
  const url = typeof given === 'string' ? withVariables(given, {}, serverVariables) : serverUrl(given, serverVariables)
  if (!/^https?:\/\//i.test(url)) throw new Unfit(`its server ${quote(url)} is no absolute address: set 'server'`)
  // A '*' would be a rule for many hosts where the hosts of the service are listed.
  if (URL.parse(url)?.hostname.includes('*') !== false) throw new Unfit(`its server ${quote(url)} is no address of a host: set 'server'`)
  return url.replace(/\/+$/, '')
}

function listedServer({ servers }: Node): Node | undefined {
  const first: unknown = Array.isArray(servers) ? servers[0] : undefined
  return isRecord(first) ? first : undefined
}

function serverUrl({ url, variables }: Node, values: Readonly<Record<string, string>>): string {
  if (typeof url !== 'string') throw new Unfit('its server has no url')
  return withVariables(url, isRecord(variables) ? variables : {}, values)
}

function withVariables(url: string, variables: Node, values: Readonly<Record<string, string>>): string {
  return url.replaceAll(/\{([^{}]+)\}/g, (_all, name: string) => {
    const variable = isRecord(variables[name]) ? variables[name] : {}
    const value: unknown = Object.hasOwn(values, name) ? values[name] : variable['default']
    if (typeof value !== 'string' && typeof value !== 'number')
      throw new Unfit(`the variable '${name}' of its server has no value: set it in 'serverVariables'`)
    const choices = variable['enum']
    if (Array.isArray(choices) && choices.length > 0 && !choices.map(String).includes(String(value)))
      throw new Unfit(`the variable '${name}' of its server must be one of ${choices.map(quote).join(', ')}, not ${quote(value)}`)
    return String(value)
  })
}
