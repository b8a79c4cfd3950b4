import type { RequireApproval } from '../../../tool/approval-rule.ts'
import type { AgentTool } from '../../../tool/agent-tool.ts'
import { type Metadata, METADATA_NAMES } from '../../../tool/metadata.ts'
import { optionNames } from '../../../tool/option-names.ts'
import type { GuardedFetch, GuardedFetchOptions } from '../guarded-fetch.ts'
import type { HttpAuth } from '../http-auth.ts'
import type { HttpMethod } from '../http-tool.ts'

/** An operation of a document, as options are asked about it. */
export interface OpenApiOperation {
  /** Undefined where the document names none. */
  readonly operationId: string | undefined
  readonly method: HttpMethod
  /** As it stands in the document: `/orders/{id}`. */
  readonly path: string
  readonly tags: readonly string[]
  readonly deprecated: boolean
  readonly summary: string | undefined
}

/** What one operation has of its own. */
export interface OperationOptions extends Metadata {
  /** Instead of the name that is made of the operation's id. */
  readonly name?: string | undefined
  readonly description?: string | undefined
  readonly requireApproval?: RequireApproval<never> | undefined
}

/** The options of `fromOpenApi`. */
export interface FromOpenApiOptions {
  /**
   * Which operations become tools: by operationId, by `GET /orders/{id}`, by `tag:orders`, with `*` at the end for all that begin so; or by a function. All by
   * default. One that matches nothing is an error.
   */
  readonly include?: readonly string[] | ((operation: OpenApiOperation) => boolean) | undefined
  /** Which of these do not. */
  readonly exclude?: readonly string[] | ((operation: OpenApiOperation) => boolean) | undefined
  /**
   * The address of the service, instead of those in the document; a document without an absolute one needs it. Secrets are sent to it, and otherwise only
   * to hosts that `access` names: a document must not choose who gets them.
   */
  readonly server?: string | undefined
  /** Values of the variables in the address of the service. */
  readonly serverVariables?: Readonly<Record<string, string>> | undefined
  /** By security scheme, the name of its secret, or how the secret is sent. With `server`, the secret has by default the name of the scheme. `false` sends none. */
  readonly auth?: Readonly<Record<string, string | HttpAuth>> | false | undefined
  /** `check`: an answer that does not fit the document is a failure. `none`: answers are not described and not checked. */
  readonly outputs?: 'check' | 'none' | undefined
  /** Before every name: `github_`. */
  readonly prefix?: string | undefined
  /** Effect, permissions, approval, name and the like of an operation. */
  readonly operation?: ((operation: OpenApiOperation) => OperationOptions | undefined) | undefined
  /** Limits, and hosts in private networks. By default only the hosts of the service can be reached. */
  readonly access?: GuardedFetchOptions | undefined
  /** A guarded fetch that is there already, instead of `access`. */
  readonly fetch?: GuardedFetch | undefined
}

/** An operation that did not become a tool. */
export interface SkippedOperation {
  readonly operation: OpenApiOperation
  readonly reason: string
}

/** An operation whose tool has another name than the document gives it. */
export interface RenamedOperation {
  readonly operation: OpenApiOperation
  readonly name: string
  readonly reason: string
}

/** The tools of a document. */
export interface OpenApiTools {
  readonly tools: readonly AgentTool<Readonly<Record<string, unknown>>>[]
  readonly skipped: readonly SkippedOperation[]
  /** Names that had to be changed, since a name has only letters, digits and `_`, at most 64, and belongs to one tool. */
  readonly renamed: readonly RenamedOperation[]
}

export const OPTION_NAMES = optionNames<FromOpenApiOptions>({
  include: true,
  exclude: true,
  server: true,
  serverVariables: true,
  auth: true,
  outputs: true,
  prefix: true,
  operation: true,
  access: true,
  fetch: true,
})

export const OPERATION_NAMES = optionNames<OperationOptions>({
  ...METADATA_NAMES,
  name: true,
  description: true,
  requireApproval: true,
})
