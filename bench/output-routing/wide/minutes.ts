import type { BenchOutput } from '../bench-output.ts'
import { all, nothing, person, question } from '../outputs/shared.ts'
import { randomOf } from '../random.ts'
import { coined, times } from './shared.ts'

/** Minutes in several languages. */
export function minutes(seed: number): BenchOutput {
  const random = randomOf(seed)
  const phrases = {
    de: [
      'Die Gruppe bespricht den Stand der Arbeiten.',
      'Der Bericht wird bis zur nächsten Sitzung ergänzt.',
      'Es gibt dazu keine weiteren Fragen.',
      'Die Unterlagen liegen allen vor.',
      'Man dankt für die gute Zusammenarbeit.',
    ],
    fr: [
      'Le groupe examine l’état des travaux.',
      'Le rapport sera complété pour la prochaine séance.',
      'Il n’y a pas d’autres questions.',
      'Les documents ont été remis à tous.',
      'On remercie tous les participants.',
    ],
    es: [
      'El grupo revisa el estado de los trabajos.',
      'El informe se completará para la próxima sesión.',
      'No hay más preguntas.',
      'Los documentos fueron entregados.',
      'Se agradece la colaboración.',
    ],
    ja: ['作業の状況を確認した。', '報告書は次回までに補足する。', '質問はなかった。', '資料は全員に配布済みである。'],
  }
  const budget = `${random.int(200, 900)}.${random.int(100, 999)} Franken`
  const bridge = `${random.int(12, 48)} tonnes`
  const chair = person(random)
  const room = `${coined(random, 2)}saal`
  const yen = `${random.int(12, 98)}万円`
  const fecha = `${random.int(3, 28)} de octubre`
  const votes = `${random.int(17, 29)} zu ${random.int(3, 9)}`
  const engineer = coined(random, 3)
  const facts = [
    `Der Kredit für die Schule beträgt ${budget}.`,
    `La passerelle supporte au plus ${bridge}.`,
    `Zur Vorsitzenden wird ${chair} gewählt.`,
    `La próxima reunión será el ${fecha}.`,
    `修理費は${yen}である。`,
    `Der Antrag wird mit ${votes} Stimmen angenommen.`,
    `L’ingénieure ${engineer} dirige le chantier.`,
  ]
  const parts = times(210, (at) => {
    const language = random.pick(['de', 'fr', 'es', 'ja'] as const)
    return [
      `${at + 1}. ${random.pick(['Traktandum', 'Point', 'Punto'])} ${coined(random, 2)}`,
      times(12, () => random.pick(phrases[language])).join(' '),
    ]
  })
  for (const [at, fact] of facts.entries()) {
    const part = parts[20 + at * 25]
    if (part) part[1] += ` ${fact}`
  }
  const text = [`Protokoll / Procès-verbal, ${room}, 4.3.2026`, ...parts.flat(), `Ende / Fin: 17:${random.int(10, 59)}`].join('\n\n')
  return {
    name: 'minutes',
    task: 'What was decided at this meeting?',
    text,
    questions: [
      question('needle', 'How high is the credit for the school?', all(budget), [{ query: 'Kredit Schule' }, { query: 'Kredit' }]),
      question('needle', 'What load does the footbridge carry?', all(bridge), [{ query: 'passerelle' }]),
      question('needle', 'Who was elected as chair?', all(chair), [{ query: 'Vorsitz' }, { query: 'gewählt' }]),
      question('needle', 'When is the next meeting?', all(fecha), [{ query: 'próxima reunión' }]),
      question('needle', 'What does the repair cost in yen?', all(yen), [{ query: '修理費' }, { query: '万円' }]),
      question('needle', 'With how many votes was the motion carried?', all(votes), [{ query: 'Stimmen' }, { query: 'Antrag' }]),
      question('needle', 'Who leads the construction site?', all(engineer), [{ query: 'chantier' }]),
      question('needle', 'In which room was the meeting?', all(room), [{ query: 'Protokoll' }]),
      question('extreme', 'When did it end?', [[/Ende \/ Fin: (\S+)/.exec(text)?.[1] ?? '']], [{ query: 'Ende / Fin' }, { query: 'Ende' }]),
      question(
        'total',
        'How many points did the agenda have?',
        [['210. ', '210 sections', '210 headings', '210 items', '210 of']],
        [{ query: '210.' }],
      ),
      question('absence', 'Was a swimming pool discussed (Schwimmbad)?', [nothing], [{ query: 'Schwimmbad' }]),
    ],
  }
}
