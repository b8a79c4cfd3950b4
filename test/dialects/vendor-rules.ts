/** The rules of vendors, written down a second time: nothing here comes from src. Each function lists what a vendor would refuse. */
type Schema = Readonly<Record<string, unknown>>

const FORMATS = 'date-time time date duration email hostname ipv4 ipv6 uuid'.split(' ')

interface Found {
  readonly path: string
  readonly node: Schema
  readonly objects: number
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Every node of a schema, with the number of objects around it. Definitions are counted from their own root. */
function nodesOf(node: unknown, path = '#', objects = 0): readonly Found[] {
  if (!isSchema(node)) return [{ path, node: { 'NOT A SCHEMA': node }, objects }]
  const deeper = objects + (node['type'] === 'object' ? 1 : 0)
  const named = (keyword: string, from: number): readonly Found[] =>
    isSchema(node[keyword])
      ? Object.entries(node[keyword]).flatMap(([name, each]) => nodesOf(each, `${path}/${keyword}/${name}`, from))
      : []
  const listed = Array.isArray(node['anyOf']) ? node['anyOf'].flatMap((each, index) => nodesOf(each, `${path}/anyOf/${index}`, deeper)) : []
  const items = 'items' in node ? nodesOf(node['items'], `${path}/items`, deeper) : []
  return [{ path, node, objects: deeper }, ...named('properties', deeper), ...named('$defs', 0), ...listed, ...items]
}

function unknownKeywords(node: Schema, allowed: string): readonly string[] {
  const known = new Set(allowed.split(' '))
  return Object.keys(node)
    .filter((keyword) => !known.has(keyword))
    .map((keyword) => `keyword ${keyword}`)
}

function at(path: string, problems: readonly (string | false | undefined)[]): readonly string[] {
  return problems.filter((each) => typeof each === 'string').map((each) => `${path}: ${each}`)
}

const namesIn = (node: Schema): readonly string[] => (isSchema(node['properties']) ? Object.keys(node['properties']) : [])
const requiredIn = (node: Schema): readonly unknown[] => (Array.isArray(node['required']) ? node['required'] : [])

function sharedProblems({ node }: Found): readonly (string | false | undefined)[] {
  const isObject = node['type'] === 'object'
  return [
    isObject && node['additionalProperties'] !== false && 'object not closed',
    isObject && !isSchema(node['properties']) && 'object without properties',
    node['type'] === 'array' && !isSchema(node['items']) && 'array without items',
    !('type' in node || 'anyOf' in node || '$ref' in node || 'enum' in node || 'const' in node) && 'no type',
    'type' in node && typeof node['type'] !== 'string' && 'more than one type',
    '$ref' in node && Object.keys(node).length > 1 && 'siblings of $ref',
    'anyOf' in node && Object.keys(node).some((keyword) => !['anyOf', 'description'].includes(keyword)) && 'siblings of anyOf',
    'anyOf' in node && (!Array.isArray(node['anyOf']) || node['anyOf'].length === 0) && 'empty anyOf',
    Array.isArray(node['enum']) && node['enum'].length === 0 && 'empty enum',
    requiredIn(node).some((name) => !namesIn(node).includes(String(name))) && 'requires an undeclared property',
    ...namesIn(node).map((name) => !/^[a-zA-Z0-9_.-]{1,64}$/.test(name) && `property name ${JSON.stringify(name)}`),
  ]
}

const OPENAI =
  'type properties required additionalProperties items enum const anyOf $ref $defs description title pattern format multipleOf minimum maximum exclusiveMinimum exclusiveMaximum minItems maxItems'

export function openAiProblems(schema: unknown): readonly string[] {
  const found = nodesOf(schema)
  const root: Schema = isSchema(schema) ? schema : {}
  const definitions = isSchema(root['$defs']) ? Object.keys(root['$defs']) : []
  const enums = found.flatMap(({ node }) => (Array.isArray(node['enum']) ? [node['enum'] as readonly unknown[]] : []))
  const texts = found.flatMap(({ node }) => [...namesIn(node), ...('const' in node ? [JSON.stringify(node['const'])] : [])])
  const characters =
    texts.join('').length +
    enums
      .flat()
      .map((each) => JSON.stringify(each))
      .join('').length
  return [
    ...at('#', [
      root['type'] !== 'object' && 'root is no object',
      ...['anyOf', 'oneOf', 'allOf', 'enum', 'not', '$ref'].map((keyword) => keyword in root && `${keyword} at the root`),
      enums.flat().length > 1000 && 'too many enum values',
      enums.some((each) => each.length > 250 && JSON.stringify(each).length > 15_000 + 4 * each.length) && 'enum too long',
      characters > 120_000 && 'too many characters',
      found.flatMap(({ node }) => namesIn(node)).length > 5000 && 'too many properties',
    ]),
    ...found.flatMap((each) =>
      at(each.path, [
        ...sharedProblems(each),
        ...unknownKeywords(each.node, OPENAI),
        each.objects > 10 && `nested ${each.objects} deep`,
        namesIn(each.node).some((name) => !requiredIn(each.node).includes(name)) && 'optional property',
        'format' in each.node && !FORMATS.includes(String(each.node['format'])) && `format ${String(each.node['format'])}`,
        'pattern' in each.node && /\(\?[=!<]|\\[1-9kpu]/.test(String(each.node['pattern'])) && 'pattern',
        '$ref' in each.node && !definitions.includes(String(each.node['$ref']).replace('#/$defs/', '')) && 'unknown $ref',
      ]),
    ),
  ]
}

const ANTHROPIC = 'type properties required additionalProperties items enum const anyOf default description title format minItems'

/** What a schema takes of Anthropic's budgets, which are counted over all strict tools of a request. */
export function anthropicCost(schema: unknown): { readonly optionals: number; readonly unions: number } {
  const found = nodesOf(schema)
  return {
    optionals: found.reduce((sum, { node }) => sum + namesIn(node).filter((name) => !requiredIn(node).includes(name)).length, 0),
    unions: found.filter(({ node }) => 'anyOf' in node || Array.isArray(node['type'])).length,
  }
}

export function anthropicProblems(schema: unknown): readonly string[] {
  const root: Schema = isSchema(schema) ? schema : {}
  const { optionals, unions } = anthropicCost(schema)
  return [
    ...at('#', [
      root['type'] !== 'object' && 'root is no object',
      optionals > 24 && `${optionals} optional properties`,
      unions > 16 && `${unions} unions`,
    ]),
    ...nodesOf(schema).flatMap((each) =>
      at(each.path, [
        ...sharedProblems(each),
        ...unknownKeywords(each.node, ANTHROPIC),
        'minItems' in each.node && Number(each.node['minItems']) > 1 && 'minItems',
        'format' in each.node && ![...FORMATS, 'uri'].includes(String(each.node['format'])) && `format ${String(each.node['format'])}`,
        [each.node['const'], ...(Array.isArray(each.node['enum']) ? each.node['enum'] : [])].some(
          (value) => typeof value === 'object' && value !== null,
        ) && 'composite constant',
      ]),
    ),
  ]
}

const GEMINI =
  'type format title description nullable enum minItems maxItems properties required minProperties maxProperties minLength maxLength pattern anyOf propertyOrdering default items minimum maximum'

/** Undefined is a function without parameters. With JSON Schema as the field, null is a type of its own. */
export function geminiProblems(schema: unknown, field: 'parameters' | 'parametersJsonSchema' = 'parameters'): readonly string[] {
  if (schema === undefined) return []
  const root: Schema = isSchema(schema) ? schema : {}
  const types = ['string', 'number', 'integer', 'boolean', 'array', 'object', ...(field === 'parameters' ? [] : ['null'])]
  return [
    ...at('#', [root['type'] !== 'object' && 'root is no object']),
    ...nodesOf(schema).flatMap(({ path, node }) =>
      at(path, [
        ...unknownKeywords(node, GEMINI),
        !('anyOf' in node) && !types.includes(String(node['type'])) && `type ${String(node['type'])}`,
        'anyOf' in node && Object.keys(node).length > 1 && 'siblings of anyOf',
        'anyOf' in node && (!Array.isArray(node['anyOf']) || node['anyOf'].length === 0) && 'empty anyOf',
        field === 'parametersJsonSchema' && 'nullable' in node && 'nullable',
        node['type'] === 'object' && namesIn(node).length === 0 && 'object without properties',
        node['type'] === 'array' && !isSchema(node['items']) && 'array without items',
        Array.isArray(node['enum']) &&
          (node['type'] !== 'string' || node['enum'].length === 0 || node['enum'].some((each) => typeof each !== 'string')) &&
          'enum',
        node['type'] === 'string' && 'format' in node && node['format'] !== 'date-time' && 'format',
        requiredIn(node).some((name) => !namesIn(node).includes(String(name))) && 'requires an undeclared property',
        ...namesIn(node).map((name) => !/^[a-zA-Z_][a-zA-Z0-9_]{0,63}$/.test(name) && `property name ${JSON.stringify(name)}`),
      ]),
    ),
  ]
}
