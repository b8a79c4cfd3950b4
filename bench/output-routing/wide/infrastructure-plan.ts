import type { BenchOutput } from '../bench-output.ts'
import { all, nothing, question } from '../outputs/shared.ts'
import { randomOf } from '../random.ts'
import { coined, countBy, inside, tally, times } from './shared.ts'

/** What Terraform would change. */
export function infrastructurePlan(seed: number): BenchOutput {
  const random = randomOf(seed)
  const kinds = ['aws_instance', 'aws_s3_bucket', 'aws_security_group_rule', 'aws_iam_role', 'aws_db_instance']
  const changes = times(190, () => ({
    kind: random.pick(kinds),
    name: coined(random, 3),
    action: random.pick(['create', 'create', 'update', 'update']) as string,
    id: `i-${random.hex(10)}`,
    size: random.pick(['t3.small', 't3.large', 'm6i.xlarge']),
    note: '',
  }))
  const replaced = inside(random, changes)
  Object.assign(replaced, {
    kind: 'aws_db_instance',
    action: 'replace',
    note: `      ~ engine_version = "14.9" -> "16.${random.int(1, 9)}" # forces replacement`,
  })
  const gone = inside(
    random,
    changes.filter((each) => each !== replaced),
  )
  Object.assign(gone, { kind: 'aws_s3_bucket', action: 'destroy' })
  const open = inside(
    random,
    changes.filter((each) => each !== replaced && each !== gone),
  )
  Object.assign(open, {
    kind: 'aws_security_group_rule',
    action: 'create',
    note: `      + cidr_blocks = ["0.0.0.0/0"]\n      + from_port   = ${random.int(2000, 9000)}`,
  })
  const asked = inside(
    random,
    changes.filter((each) => each.note === ''),
  )
  const verbs: Record<string, [string, string]> = {
    create: ['will be created', '+'],
    update: ['will be updated in-place', '~'],
    replace: ['must be replaced', '-/+'],
    destroy: ['will be destroyed', '-'],
  }
  const blocks = changes.map((each) => {
    const [phrase, sign] = verbs[each.action] ?? ['', '']
    return [
      `  # module.${random.pick(['core', 'edge'])}.${each.kind}.${each.name} ${phrase}`,
      `  ${sign} resource "${each.kind}" "${each.name}" {`,
      `      ${sign} id            = ${each.action === 'create' ? '(known after apply)' : `"${each.id}"`}`,
      `      ${sign} instance_type = "${each.size}"`,
      ...(each.note === '' ? [] : [each.note]),
      `      ${sign} tags          = {`,
      `          + "cost-center" = "${random.int(100, 999)}"`,
      `          + "owner"       = "${random.pick(['platform', 'data', 'web'])}"`,
      '        }',
      ...times(random.int(3, 9), () => `        ${coined(random, 2)} = "${coined(random, 2)}"`),
      `        # (${random.int(4, 30)} unchanged attributes hidden)`,
      '    }',
      '',
    ].join('\n')
  })
  const actions = countBy(changes, (each) => each.action)
  const byKind = countBy(changes, (each) => each.kind)
  const output = coined(random, 3)
  const version = `16.${/16\.(\d)/.exec(replaced.note)?.[1]}`
  const port = /from_port {3}= (\d+)/.exec(open.note)?.[1] ?? ''
  const summary = `Plan: ${(actions['create'] ?? 0) + 1} to add, ${actions['update'] ?? 0} to change, ${(actions['destroy'] ?? 0) + 1} to destroy.`
  return {
    name: 'infrastructure plan',
    task: 'Check this plan before it is applied.',
    text: [
      'Terraform used the selected providers to generate the following execution plan.',
      '',
      'Terraform will perform the following actions:',
      '',
      ...blocks,
      summary,
      '',
      'Changes to Outputs:',
      `  + ${output}_url = (known after apply)`,
      '',
      'Warning: Argument is deprecated',
      '',
      '  with module.edge.aws_s3_bucket.assets, on edge/main.tf line 88',
    ].join('\n'),
    questions: [
      question('needle', 'What does the plan change in sum?', all(summary), [{ query: 'Plan:' }]),
      question('needle', 'Which resource must be replaced?', all(replaced.name, 'must be replaced'), [{ query: 'must be replaced' }]),
      question('needle', 'Why must it be replaced?', [['engine_version'], [`"${version}"`]], [{ query: 'forces replacement' }]),
      question('needle', 'Which bucket will be destroyed?', all(gone.name, 'will be destroyed'), [{ query: 'will be destroyed' }]),
      question('needle', 'Is a port opened to the world, and which?', [['0.0.0.0/0'], [port]], [{ query: '0.0.0.0/0' }]),
      question(
        'group',
        'How many resources are updated in place?',
        [[...tally('will be updated in-place', actions['update'] ?? 0), `${actions['update'] ?? 0} to change`]],
        [{ query: 'will be updated in-place' }],
      ),
      question(
        'group',
        'How many roles (aws_iam_role) are in the plan?',
        [tally('aws_iam_role', byKind['aws_iam_role'] ?? 0)],
        [{ query: 'resource "aws_iam_role"' }],
      ),
      question('needle', `What will be the instance type of ${asked.name}?`, [[asked.name], [asked.size]], [{ query: asked.name }]),
      question('needle', 'Which output changes?', all(`${output}_url`), [{ query: 'Changes to Outputs' }, { query: 'Outputs' }]),
      question('needle', 'Is there a warning, and where?', all('edge/main.tf line 88'), [{ query: 'Warning' }]),
      question('absence', 'Does the plan touch a load balancer (aws_lb)?', [nothing], [{ query: '"aws_lb"' }, { query: 'aws_lb' }]),
    ],
  }
}
