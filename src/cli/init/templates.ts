import { aiSdkTemplate } from './ai-sdk-template.ts'
import { basicTemplate } from './basic-template.ts'
import { durableWorkerTemplate } from './durable-worker-template.ts'
import { mcpServerTemplate } from './mcp-server-template.ts'
import { projectReadme } from './project-readme.ts'
import { sharedFiles } from './shared-files.ts'
import type { NewProject, Template } from './template.ts'
import type { TemplateName } from './template-names.ts'

/** Every template, by name. */
export const TEMPLATES: Readonly<Record<TemplateName, Template>> = {
  basic: basicTemplate,
  'ai-sdk': aiSdkTemplate,
  'mcp-server': mcpServerTemplate,
  'durable-worker': durableWorkerTemplate,
}

/** The packages of every project, in the versions that are tested. */
export const SHARED_PACKAGES = {
  dependencies: { zod: '4.6.7' },
  devDependencies: { '@types/node': '24.19.2', typescript: '7.0.2' },
  /** For a machine whose own Node is too old. */
  node: '24.21.0',
} as const

interface ProjectRequest extends NewProject {
  /** What package.json says of toolwright: a version, or the file of a package. */
  readonly toolwright: string
}

/** All files of a new project, by path. */
export function projectFiles(name: TemplateName, project: ProjectRequest): Readonly<Record<string, string>> {
  const template = TEMPLATES[name]
  return {
    'package.json': manifest(template, project),
    ...sharedFiles(project),
    ...template.files(project),
    'README.md': projectReadme(template, project),
  }
}

function manifest({ dependencies, devDependencies, scripts }: Template, { name, toolwright, bringsNode }: ProjectRequest): string {
  const content = {
    name,
    version: '0.1.0',
    private: true,
    type: 'module',
    scripts: {
      start: 'node src/main.ts',
      test: 'node --test "test/*.test.ts"',
      check: 'toolwright check --strict',
      types: 'tsc',
      ...scripts,
    },
    dependencies: sorted({ ...SHARED_PACKAGES.dependencies, ...dependencies, toolwright }),
    devDependencies: sorted({
      ...SHARED_PACKAGES.devDependencies,
      ...devDependencies,
      ...(bringsNode ? { node: SHARED_PACKAGES.node } : {}),
    }),
    engines: { node: '>=22.19' },
  }
  return `${JSON.stringify(content, undefined, 2)}\n`
}

/** As npm writes them. */
function sorted(packages: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(packages).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
