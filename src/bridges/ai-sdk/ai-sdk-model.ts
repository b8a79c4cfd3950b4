import type * as Ai from 'ai'
import type { LanguageModel, LanguageModelUsage } from 'ai'
import { ConfigurationError } from '../../tool/errors/configuration-error.ts'
import { missingPackage, usablePackage } from '../../tool/missing-package.ts'
import type { Model, ModelPrompt, ModelReply } from '../../tool/ports/model.ts'
import type { Usage } from '../../tool/result/result.ts'
import { checkOptionNames, optionNames } from '../../tool/option-names.ts'

/** The options of `aiSdkModel`. */
export interface AiSdkModelOptions extends Pick<
  Parameters<typeof Ai.generateText>[0],
  'maxOutputTokens' | 'temperature' | 'maxRetries' | 'providerOptions'
> {
  /** What a reply cost, from the tokens that it took. */
  readonly costUsd?: ((usage: LanguageModelUsage) => number) | undefined
}

const NAMES = optionNames<AiSdkModelOptions>({
  costUsd: true,
  maxOutputTokens: true,
  temperature: true,
  maxRetries: true,
  providerOptions: true,
})

/**
 * Makes a model of the AI SDK the `model` of calls: classifiers and tools ask it.
 * @example
 * const runtime = createRuntime({ tools: [orders], model: aiSdkModel('openai/gpt-5-mini') })
 */
export function aiSdkModel(model: LanguageModel, options: AiSdkModelOptions = {}): Model {
  checkOptionNames(options, NAMES, 'The options of aiSdkModel')
  const { costUsd, ...settings } = options
  if (typeof model !== 'string' && (typeof model !== 'object' || model === null))
    throw new ConfigurationError('invalid_option', 'aiSdkModel takes a language model of the AI SDK, or the id of one.')
  const usageOf = (usage: LanguageModelUsage): Usage => ({
    ...(usage.totalTokens === undefined ? {} : { tokens: usage.totalTokens }),
    ...(costUsd === undefined ? {} : { costUsd: costUsd(usage) }),
  })
  return {
    generate: async ({ system, prompt, schema, signal }: ModelPrompt): Promise<ModelReply> => {
      const { generateText, jsonSchema, NoObjectGeneratedError, Output } = await loadAi()
      const asked = {
        ...settings,
        model,
        prompt,
        ...(system === undefined ? {} : { instructions: system }),
        ...(signal === undefined ? {} : { abortSignal: signal }),
      }
      if (schema === undefined) {
        const { text, usage } = await generateText(asked)
        return { text, usage: usageOf(usage) }
      }
      try {
        const reply = await generateText({ ...asked, output: Output.object({ schema: jsonSchema(schema) }) })
        return { text: reply.text, value: reply.output, usage: usageOf(reply.usage) }
      } catch (error) {
        // The caller that asked for a value handles a reply without one.
        if (!NoObjectGeneratedError.isInstance(error)) throw error
        return { text: error.text ?? '', ...(error.usage === undefined ? {} : { usage: usageOf(error.usage) }) }
      }
    },
  }
}

async function loadAi(): Promise<typeof Ai> {
  try {
    return usablePackage(await import('ai'), 'ai', { purpose: PURPOSE, needs: ['generateText'] })
  } catch (cause) {
    throw missingPackage(cause, 'ai', PURPOSE)
  }
}

const PURPOSE = 'to ask a model of the AI SDK'
