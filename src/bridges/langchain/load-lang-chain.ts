import type * as Messages from '@langchain/core/messages'
import type * as Tools from '@langchain/core/tools'
import type * as JsonSchemas from '@langchain/core/utils/json_schema'
import type * as LangGraph from '@langchain/langgraph'
import { missingPackage, usablePackage } from '../../tool/missing-package.ts'

export type LangChainCore = typeof Tools & Pick<typeof Messages, 'ToolMessage'>

/** Loaded when it is needed, so that the error names it where it is not installed. */
export async function loadLangChain(): Promise<LangChainCore> {
  try {
    const [tools, { ToolMessage }] = await Promise.all([import('@langchain/core/tools'), import('@langchain/core/messages')])
    return usablePackage({ ...tools, ToolMessage }, '@langchain/core', {
      purpose: TO_OFFER,
      needs: ['DynamicStructuredTool', 'ToolMessage'],
    })
  } catch (cause) {
    throw missingPackage(cause, '@langchain/core', TO_OFFER)
  }
}

/** Needed only in a graph with a checkpointer. */
export async function loadLangGraph(): Promise<Pick<typeof LangGraph, 'interrupt'>> {
  try {
    return usablePackage(await import('@langchain/langgraph'), '@langchain/langgraph', { purpose: TO_ASK, needs: ['interrupt'] })
  } catch (cause) {
    throw missingPackage(cause, '@langchain/langgraph', TO_ASK)
  }
}

const TO_OFFER = 'to offer tools to LangChain'
const TO_ASK = 'to ask a person by the interrupt of a graph'
const TO_USE = 'to use tools of LangChain'

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
    const needs = ['ToolInputParsingException', 'toJsonSchema']
    return usablePackage({ ToolInputParsingException, toJsonSchema }, '@langchain/core', { purpose: TO_USE, needs })
  } catch (cause) {
    throw missingPackage(cause, '@langchain/core', TO_USE)
  }
}
