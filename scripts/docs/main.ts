import { join, relative } from 'node:path'
import { root } from '../run-program.ts'
import { buildSite, writeSite } from './build-site.ts'

const folder = join(root, 'site')
const site = await buildSite()
if (site.problems.length > 0) {
  console.error(site.problems.join('\n'))
  console.error(`The site was not written: ${site.problems.length} ${site.problems.length === 1 ? 'problem' : 'problems'}.`)
  process.exitCode = 1
} else {
  await writeSite(site, folder)
  console.log(`${site.pages.length} pages. Open ${join(relative(process.cwd(), folder), 'index.html')} in a browser.`)
}
