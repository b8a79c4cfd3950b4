/** The names of the templates, in the order in which they are offered. */
export const TEMPLATE_NAMES = ['basic', 'ai-sdk', 'mcp-server', 'durable-worker'] as const

export type TemplateName = (typeof TEMPLATE_NAMES)[number]
