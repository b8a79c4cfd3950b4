import { rm } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { TEMPLATE_NAMES } from '../../src/cli/init/template-names.ts'
import { temporaryHome } from '../fixtures/store/temporary-home.ts'
import { installPackage, npmInstall, succeeded } from './installed-package.ts'
import { initProject } from './new-project.ts'

const home = temporaryHome()
let folder: string
let app: string

beforeAll(async () => {
  ;({ folder, app } = await installPackage())
}, 120_000)
afterAll(() => rm(folder, { recursive: true, force: true }))

test.each(TEMPLATE_NAMES)(
  '%s: npm install, npm start and npm test succeed',
  async (template) => {
    const env = { TOOLWRIGHT_HOME: home, DATABASE_URL: '', TOOLWRIGHT_APP: '' }
    const project = await initProject(app, template)
    await npmInstall(project.folder)
    expect(succeeded(await project.npm(['start'], env)).stdout).not.toBe('')
    succeeded(await project.npm(['test'], env))
    succeeded(await project.npm(['run', 'types']))
  },
  300_000,
)
