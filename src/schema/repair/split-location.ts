import type { RepairChange } from './reading.ts'
import { joinPath } from '../field-path.ts'
import type { Misfit } from './walk.ts'

/** Names of what is inside a store, by the beginning of its own names. */
const INSIDE: ReadonlySet<string> = new Set(['prefix', 'key', 'object', 'object_key', 'blob'])
const LONGEST = 1000

/**
 * `s3://bucket/2025/` where the name of a store is taken and what is inside it has a field of its own that is not given. Changes the fields. A link of the web has
 * its own parts and is left alone.
 */
export function splitLocation(fields: Map<string, unknown>, { node, place, walk }: Omit<Misfit, 'value'>): readonly RepairChange[] {
  const [inside, ...more] = Object.keys(node.properties).filter((name) => INSIDE.has(name.toLowerCase()) && !fields.has(name))
  if (inside === undefined || more.length > 0) return []
  const found = [...fields].flatMap(([name, value]) => {
    const [, store = '', rest = ''] = typeof value === 'string' && value.length <= LONGEST ? (LOCATION.exec(value) ?? []) : []
    const { [name]: schema = {}, [inside]: other = {} } = node.properties
    const isSplit = store !== '' && walk.read(schema).pattern !== undefined && !walk.fits(schema, value) && walk.fits(schema, store)
    return isSplit && walk.fits(other, rest) ? [{ name, value, store, rest }] : []
  })
  const [only, ...others] = found
  if (only === undefined || others.length > 0) return []
  fields.set(only.name, only.store)
  fields.set(inside, only.rest)
  return [
    { path: joinPath(place.path, only.name), from: only.value, to: only.store, rule: 'parts split', cost: 3 },
    { path: joinPath(place.path, inside), from: undefined, to: only.rest, rule: 'parts split', cost: 1 },
  ]
}

/** `acme/web`, or its link, where a repository and its owner have a field each and the owner is not given. Changes the fields. */
export function splitRepository(fields: Map<string, unknown>, { node, place, walk }: Omit<Misfit, 'value'>): readonly RepairChange[] {
  const { owner, repo } = node.properties
  const given = fields.get('repo')
  if (
    owner === undefined ||
    repo === undefined ||
    !node.required.has('owner') ||
    fields.has('owner') ||
    typeof given !== 'string' ||
    given.length > LONGEST
  )
    return []
  const [, name = '', own = ''] = REPOSITORY.exec(given) ?? []
  if (name === '' || !walk.fits(owner, name) || !walk.fits(repo, own)) return []
  fields.set('owner', name)
  fields.set('repo', own)
  return [
    { path: joinPath(place.path, 'repo'), from: given, to: own, rule: 'parts split', cost: 3 },
    { path: joinPath(place.path, 'owner'), from: undefined, to: name, rule: 'parts split', cost: 1 },
  ]
}

const REPOSITORY = /^(?:https:\/\/(?:github|gitlab)\.com\/|git@(?:github|gitlab)\.com:)?([A-Za-z\d][\w-]*)\/([\w.-]+?)(?:\.git)?$/

const LOCATION = /^(?!https?:|file:)[a-z][a-z\d]{1,9}:\/\/([^/:?#\s]+)\/([^?#\s]+)$/i
