import { toJsonText } from '../../schema/quote.ts'
import { repairRules } from './repair-rules.ts'
import type { Repairer } from './repairer.ts'

/**
 * Another input for a read whose error asks for one: the first page where the page is beyond the end, a broader query where a search found
 * nothing. Each proposal is one step, so that the attempts of `heal` are its bound.
 */
export const repairByFailure: Repairer = async ({ input, error, schema, tool, problem }) => {
  if (problem !== undefined) return undefined
  const { firstPage, broaderQuery } = await repairRules()
  const about = `${tool.name.replaceAll('_', ' ')}: ${tool.description}`
  const failed = { input, message: error.message }
  const isEmpty = error.class === 'not_found' || error.class === 'semantic'
  const other = firstPage(schema, failed) ?? (isEmpty ? broaderQuery(schema, { ...failed, about }) : undefined)
  if (other === undefined) return undefined
  const why = other.changes.map(
    ({ path, from, to, rule }) => `${path}: ${rule} (${toJsonText(from)}${to === undefined ? '' : ` to ${toJsonText(to)}`})`,
  )
  return { input: other.input, why: why.join('; ') }
}
