import type * as Messages from '@langchain/core/messages'
import type * as Tools from '@langchain/core/tools'
import type * as JsonSchemas from '@langchain/core/utils/json_schema'
import type * as LangGraph from '@langchain/langgraph'
import { missingPackage } from '../../tool/missing-package.ts'

export type LangChainCore = typeof Tools & Pick<typeof Messages, 'ToolMessage'>

/** Loaded when it is needed, so that the error names it where it is not installed. */
export async function loadLangChain(): Promise<LangChainCore> {
  try {
    const [tools, { ToolMessage }] = await Promise.all([import('@langchain/core/tools'), import('@langchain/core/messages')])
    return { ...tools, ToolMessage }
  } catch (cause) {
    throw missingPackage(cause, '@langchain/core', 'to offer tools to LangChain')
  }
}

/** Needed only in a graph with a checkpointer. */
export async function loadLangGraph(): Promise<Pick<typeof LangGraph, 'interrupt'>> {
  try {
    return await import('@langchain/langgraph')
  } catch (cause) {
    throw missingPackage(cause, '@langchain/langgraph', 'to ask a person by the interrupt of a graph')
  }
}

export interface Adopting {
  readonly ToolInputParsingException: typeof Tools.ToolInputParsingException
  readonly toJsonSchema: typeof JsonSchemas.toJsonSchema
}

/** What is needed to read tools of LangChain. */
export async function loadAdopting(): Promise<Adopting> {
  try {
    const [{ ToolInputParsingException }, { toJsonSchema }] = await Promise.all([
      import('@langchain/core/tools'),
      import('@langchain/core/utils/json_schema'),
    ])
    return { ToolInputParsingException, toJsonSchema }
  } catch (cause) {
    throw missingPackage(cause, '@langchain/core', 'to use tools of LangChain')
  }
}
