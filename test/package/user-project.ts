import { cp, mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type ProgramRun, root, runProgram } from '../../scripts/run-program.ts'

/** A project of a user that has installed the package: it sees the built declarations and nothing else. Zod and Node's types are ours. */
export class UserProject {
  readonly folder: string

  private constructor(folder: string) {
    this.folder = folder
  }

  static async create(): Promise<UserProject> {
    const cache = join(root, '.cache')
    await mkdir(cache, { recursive: true })
    const project = new UserProject(await mkdtemp(join(cache, 'user-')))
    await project.write('package.json', JSON.stringify({ name: 'app', private: true, type: 'module' }))
    await project.#install()
    return project
  }

  async #install(): Promise<void> {
    const home = join(this.folder, 'node_modules', 'toolwright')
    const flags = ['--project', join(root, 'tsconfig.build.json'), '--outDir', join(home, 'dist')]
    const built = await runProgram('tsc', flags)
    if (!built.ok) throw new Error(`The declarations could not be built:\n${built.stdout}`)
    await cp(join(root, 'package.json'), join(home, 'package.json'))
  }

  /** Where the built declarations of the package are. */
  get declarations(): string {
    return join(this.folder, 'node_modules', 'toolwright', 'dist')
  }

  async write(path: string, text: string): Promise<void> {
    await writeFile(join(this.folder, path), text)
  }

  /** Copies a file or a folder of the repository to the same place here. */
  async copy(path: string): Promise<void> {
    await cp(join(root, path), join(this.folder, path), { recursive: true })
  }

  /** Runs the compiler with our own options and these on top. */
  async compile(compilerOptions: Readonly<Record<string, unknown>>, include: readonly string[]): Promise<ProgramRun> {
    const config = {
      extends: join(root, 'tsconfig.json'),
      compilerOptions: { customConditions: [], rootDir: '.', ...compilerOptions },
      include,
      exclude: ['**/*.test.ts'],
    }
    await this.write('tsconfig.json', JSON.stringify(config))
    return runProgram('tsc', ['--project', 'tsconfig.json', '--pretty', 'false'], { cwd: this.folder })
  }
}
