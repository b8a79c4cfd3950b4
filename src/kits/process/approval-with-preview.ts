import { privateCopy } from '../../schema/private-copy.ts'
import type { AnySchema } from '../../schema/schema-types.ts'
import { type ApprovalOptions, approvalRule, type RequireApproval } from '../../tool/approval-rule.ts'
import { type Contract, contractOf } from '../../tool/contract.ts'
import { isToolError } from '../../tool/errors/tool-error.ts'
import { KnownSecrets } from '../../tool/secrets/known-secrets.ts'
import { reviewView } from '../../tool/secrets/review-view.ts'
import type { ProcessEnvironment } from './child-environment.ts'
import type { MakeCommandLine } from './command-line.ts'
import { commandPreview } from './command-preview.ts'
import type { Program } from './find-program.ts'
import type { WorkingFolder } from './working-folder.ts'

interface Previewed {
  readonly name: string
  readonly inputSchema: AnySchema | undefined
  readonly program: Program
  readonly make: MakeCommandLine
  readonly folder: WorkingFolder
  readonly environment: ProcessEnvironment
}

/** The reviewer reads the reason of the author of the tool, then the command. Undefined where nobody is ever asked. */
export function approvalWithPreview(
  given: RequireApproval<unknown> | undefined,
  previewed: Previewed,
): ApprovalOptions<unknown> | undefined {
  const asked = given ?? true
  if (approvalRule(asked, previewed.name) === undefined) return undefined
  const options: ApprovalOptions<unknown> = typeof asked === 'object' ? asked : { when: asked }
  const { why } = options
  const contract =
    previewed.inputSchema === undefined ? undefined : contractOf(previewed.inputSchema, `The inputSchema of tool '${previewed.name}'`)
  return {
    risk: 'high',
    ...options,
    why: (input) => {
      const own = typeof why === 'function' ? why(input) : why
      const preview = previewOf(shown(input, contract), previewed)
      return own === undefined ? preview : `${own}\n${preview}`
    },
  }
}

/** The command is made of the view of the input that a reviewer may see: fields that are declared as secrets are masked in it. */
function shown(input: unknown, contract: Contract | undefined): unknown {
  return contract === undefined ? input : privateCopy(reviewView(input, contract.output, new KnownSecrets()))
}

function previewOf(input: unknown, { program, make, folder, environment }: Previewed): string {
  const variables = [...(environment.inherit ?? []), ...Object.keys(environment.set ?? {}), ...Object.keys(environment.secrets ?? {})]
  try {
    return commandPreview({ command: program.command, ...make(input), folder: folder.describe(input), variables })
  } catch (error) {
    return `Runs ${program.command}. The command cannot be shown${isToolError(error) ? `: ${error.message}` : ' with its secrets masked; look at the input.'}`
  }
}
