import { mayRepeat } from '../tool/metadata.ts'
import type { Finding } from './finding.ts'
import { partPath, type Survey } from './survey.ts'

/** After a failure that leaves the outcome open, another attempt at a tool that must not be repeated could do its work twice. */
export function checkRetries({ places }: Survey): readonly Finding[] {
  return places.flatMap((whole) =>
    whole.plan.retries !== true
      ? []
      : whole.parts.flatMap(({ part }): Finding[] => {
          const { tool } = part
          if (mayRepeat(tool)) return []
          const path = partPath(whole, part)
          const message = `'${path}' changes something (${tool.effect}) and is not safe to repeat, so it is not called again when it may have taken effect.`
          return [{ severity: 'error', code: 'retried_effect', path, message, hint: SAFE_TO_REPEAT }]
        }),
  )
}

const SAFE_TO_REPEAT =
  "Pass context.idempotencyKey to its service and declare idempotent: 'keyed', or declare idempotent: true or effect: 'read' if that is so. Else call it without a retry."
