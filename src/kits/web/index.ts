export { guardedFetch, type GuardedFetch, type GuardedFetchOptions, type GuardedRequest, type GuardedResponse } from './guarded-fetch.ts'
export type { HostLookup } from './guarded-agent.ts'
export type { HttpAuth } from './http-auth.ts'
export type { HttpParts } from './http-parts.ts'
export { type HttpMethod, httpTool, type HttpToolOptions } from './http-tool.ts'
export type { UrlRuleOptions } from './url-rules.ts'
export { fromOpenApi } from './openapi/from-openapi.ts'
export type {
  FromOpenApiOptions,
  OpenApiOperation,
  OpenApiTools,
  OperationOptions,
  RenamedOperation,
  SkippedOperation,
} from './openapi/openapi-options.ts'
