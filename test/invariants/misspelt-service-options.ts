import { processTool } from 'toolwright/kits/process'
import { fromOpenApi } from 'toolwright/kits/web'
import { outputRouter, postgresContext } from 'toolwright/context'
import {
  activeTools,
  catalog,
  embedder,
  hybrid,
  learned,
  modelDriven,
  policyGate,
  postgresTraces,
  ruleBased,
  searchTools,
  tracesOfRuns,
} from 'toolwright/select'

function untyped(called: unknown): (options: object) => unknown {
  return called as (options: object) => unknown
}

function untyped2(called: unknown): (first: object, options: object) => unknown {
  return called as (first: object, options: object) => unknown
}

const PATHS = {
  openapi: '3.1.0',
  servers: [{ url: 'https://a.example' }],
  paths: { '/a': { get: { operationId: 'a', security: [{ key: [] }], responses: {} } } },
  components: { securitySchemes: { key: { type: 'http', scheme: 'bearer' } } },
}
const PROGRAM = { name: 'program', description: 'Runs.', command: 'true' } as const

/** Of programs and of documents of services, by the places of `optionPlaces`. */
export const SERVICE_MISSPELLERS: Readonly<Record<string, (odd: object) => unknown>> = {
  'fromOpenApi(options)': (odd) => fromOpenApi(PATHS, odd),
  'FromOpenApiOptions.access': (odd) => fromOpenApi(PATHS, { access: odd }),
  'FromOpenApiOptions.auth[]': (odd) => fromOpenApi(PATHS, { auth: { key: { secret: 'a', ...odd } } }),
  'PostgresContextOptions.encryption': (odd) => untyped2(postgresContext)({}, { encryption: { key: 'k', ...odd } }),
  'RoutedConversation.writing(options)': (odd) =>
    outputRouter({ budget: { window: 1000 } })
      .conversation({ task: 't', session: 's' })
      .writing({ ok: true, text: 'x', value: 'x', provenance: { tool: 't@1', invocationId: 'i', timestamp: 0 } }, odd),
  'catalog(options)': (odd) => catalog([], odd),
  'Catalog.add(options)': async (odd) => (await catalog([])).add([], odd),
  'Catalog.select(options)': async (odd) => (await catalog([])).select('x', odd),
  'Catalog.explain(options)': async (odd) => (await catalog([])).explain('x', 'y', odd),
  'Catalog.forget(of)': async (odd) => (await catalog([])).forget(odd),
  'Catalog.listen(options)': async (odd) => (await catalog([])).listen(odd),
  'searchTools(options)': async (odd) => searchTools(await catalog([]), odd),
  'tracesOfRuns(options)': async (odd) => tracesOfRuns([], odd),
  'activeTools(options)': async (odd) => activeTools(await catalog([]), odd),
  'embedder(options)': (odd) => embedder({ doEmbed: async () => ({ embeddings: [] }) }, odd),
  'postgresTraces(options)': (odd) => untyped2(postgresTraces)({}, odd),
  'PostgresTracesOptions.encryption': (odd) => untyped2(postgresTraces)({}, { encryption: { key: 'k', ...odd } }),
  'PostgresTracesOptions.app': (odd) => untyped2(postgresTraces)({}, { app: { name: 'a', ...odd } }),
  'policyGate(options)': (odd) => policyGate(odd),
  'PolicyGateOptions.rules[]': (odd) => untyped(policyGate)({ rules: [{ verdict: 'deny', ...odd }] }),
  'hybrid(given)': (odd) => hybrid({ forced: learned(), ...odd }),
  'hybrid()(options)': async (odd) => hybrid({ forced: learned() })(await catalog([]), 'x', odd),
  'modelDriven(given)': (odd) => modelDriven(async () => [], odd),
  'ruleBased(rules)[]': (odd) => ruleBased([{ when: /x/, use: [], ...odd }]),
  'processTool(options)': (odd) => processTool({ ...PROGRAM, ...odd }),
  'processTool(options).env': (odd) => processTool({ ...PROGRAM, env: odd }),
  'processTool(options).cwd': (odd) => untyped(processTool)({ ...PROGRAM, cwd: { root: '.', folder: () => '.', ...odd } }),
  'processTool(options).limits': (odd) => processTool({ ...PROGRAM, limits: odd }),
  'processTool(options).exitCodes[]': (odd) => untyped(processTool)({ ...PROGRAM, exitCodes: { 1: { class: 'server', ...odd } } }),
  'processTool(options).requireApproval': (odd) => processTool({ ...PROGRAM, requireApproval: odd }),
  'processTool(options).estimates': (odd) => processTool({ ...PROGRAM, estimates: odd }),
}
