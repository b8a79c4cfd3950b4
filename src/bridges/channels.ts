/** How decisions come through the bridges, as `reviewers.identify` is told: in memory and in durable runs alike. */
export const CHANNELS = { aiSdk: 'ai_sdk', langChain: 'langchain', mcp: 'mcp', openAiAgents: 'openai_agents' } as const
