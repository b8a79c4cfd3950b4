import { processTool } from 'toolwright/kits/process'
import { fromOpenApi } from 'toolwright/kits/web'

function untyped(called: unknown): (options: object) => unknown {
  return called as (options: object) => unknown
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
  'processTool(options)': (odd) => processTool({ ...PROGRAM, ...odd }),
  'processTool(options).env': (odd) => processTool({ ...PROGRAM, env: odd }),
  'processTool(options).cwd': (odd) => untyped(processTool)({ ...PROGRAM, cwd: { root: '.', folder: () => '.', ...odd } }),
  'processTool(options).limits': (odd) => processTool({ ...PROGRAM, limits: odd }),
  'processTool(options).exitCodes[]': (odd) => untyped(processTool)({ ...PROGRAM, exitCodes: { 1: { class: 'server', ...odd } } }),
  'processTool(options).requireApproval': (odd) => processTool({ ...PROGRAM, requireApproval: odd }),
  'processTool(options).estimates': (odd) => processTool({ ...PROGRAM, estimates: odd }),
}
