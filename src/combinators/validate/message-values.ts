import { quote } from '../../schema/quote.ts'
import type { AgentTool } from '../../tool/agent-tool.ts'
import { behaviourOf } from '../../tool/behaviour.ts'
import type { FieldPath } from '../../tool/given/reference.ts'
import { outputSchemaOf } from '../../tool/output-schema.ts'
import { hideSecretsIn, maskedView, type Whole } from '../../tool/seam/whole.ts'
import { MASK } from '../../tool/secrets/mask-text.ts'
import type { FieldRead, Judging } from './rule.ts'

/** The values that rules judge. */
interface Judged {
  readonly value: unknown
  readonly input: unknown
}

/**
 * Shows values in the messages of rules. A message goes into events, logs and lists of runs, so that a secret is a mask there: by the schemas
 * of the tool. The views are made when the first message needs them.
 */
export function messageValues(tool: AgentTool, { value, input }: Judged, whole: Whole): Pick<Judging, 'shown' | 'isSecret'> {
  let output: Views | undefined
  let given: Views | undefined
  const viewAt = ({ of, path }: FieldRead): unknown => {
    if (of === 'input') given ??= { real: input, view: maskedView(whole, input, behaviourOf(tool).input.schema) }
    else output ??= outputViews(tool, value, whole)
    const { real, view } = (of === 'input' ? given : output) as Views
    return seenAt(real, view, path)
  }
  return {
    shown: (read) => {
      const view = viewAt(read)
      return view === MASK ? MASK : quote(view)
    },
    isSecret: (read) => viewAt(read) === MASK,
  }
}

interface Views {
  readonly real: unknown
  readonly view: unknown
}

function outputViews(tool: AgentTool, value: unknown, whole: Whole): Views {
  const schema = outputSchemaOf(tool)
  hideSecretsIn(whole, value, schema)
  return { real: value, view: maskedView(whole, value, schema) }
}

/** A field of a secret is a secret. So is one whose name the view does not show. */
function seenAt(real: unknown, view: unknown, [step, ...rest]: FieldPath): unknown {
  if (step === undefined || view === MASK) return view
  if (!hasField(real, step)) return undefined
  return hasField(view, step) ? seenAt(real[step], view[step], rest) : MASK
}

function hasField(value: unknown, step: string | number): value is Readonly<Record<string | number, unknown>> {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, step)
}
