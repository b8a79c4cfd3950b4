import type { Attributes } from '@opentelemetry/api'
import type { CallFinished, CallInfo, ReviewDecided, ReviewRequested } from '../tool/event.ts'
import { textOf } from '../tool/result/text-of.ts'

/** The attributes of a call at its start, by the GenAI conventions. */
export function callAttributes(call: CallInfo, layers: readonly string[]): Attributes {
  return {
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': call.tool,
    'gen_ai.tool.description': call.description,
    'gen_ai.tool.type': 'function',
    'gen_ai.tool.call.id': call.invocationId,
    ...agentOf(call),
    'toolwright.path': call.path,
    'toolwright.effect': call.effect,
    'toolwright.version': call.version,
    ...(layers.length === 0 ? {} : { 'toolwright.layers': [...layers] }),
  }
}

/** The attributes of a call at its end. */
export function endAttributes(event: CallFinished): Attributes {
  const { tokens, costUsd } = event.usage ?? {}
  return {
    'toolwright.outcome': event.outcome,
    ...errorType(event),
    ...(tokens === undefined ? {} : { 'toolwright.usage.tokens': tokens }),
    ...(costUsd === undefined ? {} : { 'toolwright.usage.cost_usd': costUsd }),
  }
}

/** Input and output with secrets masked, as texts. Only for those who asked for content. */
export function contentAttributes({ call, outcome, text }: CallFinished): Attributes {
  return {
    'gen_ai.tool.call.arguments': textOf(call.input),
    ...(outcome === 'success' ? { 'gen_ai.tool.call.result': text } : {}),
  }
}

/** The attributes of the counter and of the histogram of calls. */
export function metricAttributes({ call }: CallFinished): Attributes {
  return { 'gen_ai.tool.name': call.tool, ...agentOf(call) }
}

export function errorType({ outcome, code }: CallFinished): Attributes {
  return outcome === 'success' ? {} : { 'error.type': code ?? '_OTHER' }
}

export function reviewAttributes(event: ReviewRequested | ReviewDecided): Attributes {
  const { id, kind, risk, tool } = event.request
  return {
    'gen_ai.tool.name': tool,
    'toolwright.review.id': id,
    'toolwright.review.kind': kind,
    'toolwright.review.risk': risk,
    ...(event.type === 'review.requested'
      ? {}
      : {
          'toolwright.review.action': event.action,
          'toolwright.review.waited_ms': event.waitedMs,
          ...(event.by === undefined ? {} : { 'toolwright.review.by': event.by }),
        }),
  }
}

function agentOf({ agent }: CallInfo): Attributes {
  return agent === undefined ? {} : { 'gen_ai.agent.name': agent }
}
