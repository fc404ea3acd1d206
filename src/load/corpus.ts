/**
 * What prompts are written from: topics with their own words, and sentence patterns. Coherent English on one topic for
 * each stream, because random words would make speculative acceptance meaningless. Part of every result: changing a
 * character here makes runs incomparable, so `corpusVersion` goes up with it.
 */
export const corpusVersion = '1'

/** The instruction at the end of every prompt: a long piece of writing, so that decoding never runs dry. */
export const instruction =
  'Write a very long, detailed reference article on the subject above. Work through its history, its principles, its ' +
  'methods, typical mistakes, worked examples with numbers, and open questions, one chapter after the other. Do not ' +
  'summarize, do not ask questions, and keep writing in full paragraphs until you are stopped.'

export type Topic = {
  readonly name: string
  readonly things: readonly string[]
  readonly people: readonly string[]
  readonly acts: readonly string[]
}

function topic(name: string, things: string, people: string, acts: string): Topic {
  return { name, things: things.split(', '), people: people.split(', '), acts: acts.split(', ') }
}

export const topics: readonly Topic[] = [
  topic(
    'tidal power stations',
    'turbine hall, sluice gate, estuary, tide table, generator, sea lock, silt bank, breakwater, power cable, control room',
    'marine engineer, harbour master, surveyor, grid operator, diver',
    'inspect, drain, calibrate, rebuild, measure, shut down',
  ),
  topic(
    'mountain railways',
    'rack rail, viaduct, snow shed, gradient, switchback, brake block, signal box, tunnel lining, avalanche gallery, pinion',
    'track foreman, locomotive driver, geologist, dispatcher, bridge inspector',
    'climb, survey, relay, reinforce, clear, close',
  ),
  topic(
    'sourdough baking',
    'starter, crumb, oven deck, proofing basket, rye flour, hydration, crust, gluten network, scoring blade, steam tray',
    'baker, miller, apprentice, food chemist, shopkeeper',
    'knead, feed, ferment, fold, bake, cool',
  ),
  topic(
    'radio astronomy',
    'dish antenna, receiver, spectral line, pulsar, noise floor, baseline, correlator, hydrogen cloud, calibration source, interferometer',
    'astronomer, receiver engineer, data analyst, telescope operator, graduate student',
    'observe, calibrate, correlate, map, filter, publish',
  ),
  topic(
    'medieval trade fairs',
    'cloth hall, toll gate, bill of exchange, weighing house, wool sack, caravan, market charter, coin, warehouse, guild seal',
    'merchant, notary, money changer, carter, market warden',
    'weigh, barter, insure, store, tax, certify',
  ),
  topic(
    'compiler construction',
    'parser, symbol table, register allocator, basic block, type checker, syntax tree, peephole pass, linker, calling convention, loop nest',
    'language designer, toolchain maintainer, performance engineer, reviewer, intern',
    'parse, inline, unroll, verify, lower, schedule',
  ),
  topic(
    'coral reef ecology',
    'polyp, lagoon, bleaching event, parrotfish, plankton bloom, sediment core, reef crest, algae mat, current, nursery ground',
    'marine biologist, park ranger, fisher, diver, modeller',
    'survey, restore, tag, monitor, protect, sample',
  ),
  topic(
    'violin making',
    'spruce top, maple back, bass bar, varnish, sound post, purfling, scroll, bridge, hide glue, arching template',
    'luthier, wood dealer, restorer, soloist, acoustician',
    'carve, tune, varnish, join, repair, compare',
  ),
  topic(
    'urban water supply',
    'reservoir, pumping station, filter bed, main pipe, valve chamber, water tower, leak detector, chlorine dose, aqueduct, meter',
    'hydraulic engineer, plant operator, chemist, city planner, plumber',
    'pump, filter, flush, repair, test, ration',
  ),
  topic(
    'polar expeditions',
    'sledge, pack ice, base camp, chronometer, depot, dog team, crevasse, weather log, ration box, theodolite',
    'navigator, surgeon, cook, geophysicist, expedition leader',
    'march, map, supply, rescue, record, winter',
  ),
  topic(
    'paper manufacture',
    'pulp vat, felt, drying cylinder, watermark, calender, fibre, headbox, wire mesh, reel, sizing agent',
    'machine tender, chemist, forester, quality inspector, printer',
    'beat, press, dry, coat, cut, recycle',
  ),
  topic(
    'beekeeping',
    'hive, brood frame, queen, nectar flow, smoker, varroa mite, honey super, swarm, pollen trap, wax foundation',
    'beekeeper, orchard owner, entomologist, inspector, candle maker',
    'inspect, harvest, split, feed, treat, overwinter',
  ),
  topic(
    'air traffic control',
    'radar screen, runway, holding pattern, flight strip, transponder, approach corridor, weather cell, tower, frequency, separation minimum',
    'controller, pilot, meteorologist, supervisor, dispatcher',
    'vector, clear, sequence, hand over, monitor, divert',
  ),
  topic(
    'wine growing',
    'vineyard, rootstock, barrel, must, cellar, pruning cut, terroir, yeast strain, harvest basket, slope',
    'grower, cooper, oenologist, picker, merchant',
    'prune, crush, ferment, rack, bottle, taste',
  ),
  topic(
    'seismology',
    'fault line, seismograph, aftershock, wave front, epicentre, sediment basin, tremor, borehole sensor, magnitude scale, trench',
    'seismologist, civil engineer, field technician, historian, emergency planner',
    'record, locate, model, warn, drill, compare',
  ),
  topic(
    'textile dyeing',
    'indigo vat, mordant, skein, loom, madder root, fixing bath, colour chart, steam chamber, pattern block, bolt of cloth',
    'dyer, weaver, chemist, designer, trader',
    'dip, rinse, fix, weave, print, match',
  ),
  topic(
    'database engines',
    'buffer pool, write-ahead log, index page, query plan, lock table, checkpoint, replica, transaction, vacuum pass, hash join',
    'storage engineer, administrator, analyst, release manager, auditor',
    'commit, replay, compact, partition, restore, benchmark',
  ),
  topic(
    'glass blowing',
    'furnace, blowpipe, gather, annealing oven, mould, silica sand, goblet stem, colour rod, punty, bench',
    'glassblower, apprentice, chemist, collector, engraver',
    'gather, blow, shape, anneal, cut, polish',
  ),
  topic(
    'forest management',
    'canopy, seedling, fire break, logging road, growth ring, stand, undergrowth, nursery, bark beetle, watershed',
    'forester, ecologist, sawmill owner, ranger, surveyor',
    'thin, plant, inventory, protect, harvest, burn',
  ),
  topic(
    'chess history',
    'opening, endgame table, tournament hall, clock, manuscript, gambit, rating list, adjournment, analysis board, match contract',
    'grandmaster, arbiter, composer, journalist, patron',
    'sacrifice, analyse, adjourn, defend, annotate, prepare',
  ),
  topic(
    'bridge engineering',
    'suspension cable, caisson, deck, expansion joint, truss, load test, anchor block, river pier, wind tunnel, rivet',
    'structural engineer, steel erector, inspector, hydrologist, contractor',
    'span, load, weld, inspect, strengthen, replace',
  ),
  topic(
    'early photography',
    'glass plate, darkroom, lens, silver bath, exposure, print, studio backdrop, shutter, negative, balance scale',
    'photographer, optician, portrait sitter, printer, archivist',
    'expose, develop, tone, retouch, mount, archive',
  ),
  topic(
    'semiconductor fabrication',
    'wafer, photoresist, stepper, etch chamber, clean room, mask, ion implanter, yield map, metal layer, probe card',
    'process engineer, lithographer, metrologist, technician, failure analyst',
    'etch, deposit, align, inspect, dope, anneal',
  ),
  topic(
    'alpine cheese',
    'copper kettle, rennet, curd, cellar shelf, brine, rind, pasture hut, milk churn, wheel, culture',
    'cheesemaker, herder, affineur, dairy chemist, buyer',
    'heat, press, salt, turn, age, grade',
  ),
]

/** `{a}` `{b}` things, `{p}` `{q}` people, `{v}` `{w}` acts, `{n}` `{m}` numbers, `{y}` a year, `{t}` the topic. */
export const patterns: readonly string[] = [
  'In {y} a {p} was asked to {v} the {a}, and found that the {b} had to be understood first.',
  'The {a} matters in {t} because it limits what the {b} can do, and every {p} learns this within {n} weeks.',
  'A careful {p} will {v} the {a} before anyone is allowed to {w} the {b}.',
  'Reports from {y} list {n} cases in which the {a} failed, {m} of them because of the {b}.',
  'It is easier to {v} a {a} than to explain to a {p} why it behaves as it does.',
  'Where the {a} meets the {b}, small errors add up: after {n} days the difference can reach {m} percent.',
  'The {p} and the {q} disagreed about the {a} for years, until somebody decided to {v} the {b} and count.',
  'One rule of thumb says that {n} parts of effort go into the {a} and only {m} into the {b}.',
  'Before {y} nobody in {t} would {v} the {a} in public; afterwards it became the usual way.',
  'What looks like a fault of the {a} is often a fault of the {b}, as any {q} can confirm.',
  'The first attempt to {v} and {w} at the same time cost {n} working days and one {a}.',
  'A {p} who has to {v} the {a} at night relies on the {b}, on notes, and on the advice of a {q}.',
  'There are at least {n} ways to {v} a {a}, but only a few of them leave the {b} unharmed.',
  'The drawing shows the {a} at the left, the {b} behind it, and a {p} who is about to {v} both.',
  'Costs fell by {n} percent between {y} and the following decade, mostly because the {a} no longer needed a {q}.',
  'If the {a} is new, the {p} should {v} it {n} times and compare the {b} after each round.',
  'Older handbooks on {t} describe the {a} in detail and pass over the {b} in a single line.',
  'The {q} kept a diary in which the {a} is mentioned {n} times and the {b} only once, in {y}.',
  'Nothing in {t} is as often misjudged as the time that it takes to {v} the {a}.',
  'When the {b} was replaced in {y}, the {a} stayed in use, and the {p} had to {w} around it.',
  'To {v} the {a} without a {p} is possible, yet the {b} will show the traces for {n} months.',
  'Some say that the {a} was invented by a {q}; the surviving records point to a {p} instead.',
  'The second chapter follows the {a} from the workshop to the {b}, a distance of {n} steps and {m} decisions.',
  'Under load the {a} gives way first, then the {b}, and in the end the patience of the {p}.',
  'A table of {n} measurements, taken in {y}, still serves every {q} who wants to {v} the {a}.',
  'The question of who may {v} the {a} was settled by custom, not by law, and the {b} was left out.',
  'Teachers of {t} begin with the {b}, since the {a} only makes sense to a {p} who has seen it fail.',
  'Of {n} samples, {m} showed that the {a} and the {b} change together; the rest could not be read.',
  'It took the {p} until {y} to {v} what the {q} had only been able to {w} by hand.',
  'The {a} is checked every {n} hours, the {b} every {m}, and both whenever a {p} asks for it.',
  'Behind the {b} stands a simple idea: {v} early, {w} late, and never trust a single {a}.',
  'Visitors admire the {a}; the {q} knows that the real work lies in the {b}.',
]
