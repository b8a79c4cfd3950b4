import { ToolError } from '../errors/tool-error.ts'

/** Returns secrets by name. They are masked in logs, traces and reviews of that call. */
export interface SecretsProvider {
  readonly get: (name: string) => string | undefined | Promise<string | undefined>
}

/**
 * Secrets from environment variables, of the named ones only.
 * @example
 * createRuntime({ tools, secrets: environmentSecrets(['STRIPE_KEY']) })
 */
export function environmentSecrets(
  names: readonly string[],
  environment: Readonly<Record<string, string | undefined>> = process.env,
): SecretsProvider {
  const allowed = new Set(names)
  return {
    get: (name) => {
      if (!allowed.has(name)) {
        throw new ToolError(`The secret '${name}' is not among those that tools may read.`, {
          code: 'access_denied',
          outcome: 'failed',
          hint: `Add '${name}' to the list given to environmentSecrets.`,
        })
      }
      return environment[name]
    },
  }
}
