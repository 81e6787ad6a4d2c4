import type { FieldError } from '../kernel/failure.ts';
import type { Text } from '../kernel/language.ts';
import { completeStage, type StagePlan, type StageSent } from './stage-types.ts';

/** What becomes of a pipeline's stages when all of them are replaced. */
export type StageReplacement<Old extends StagePlan> = {
  /** The new list in its order; `old` is the stage that lives on under the same slug, null for a new one. */
  stages: { plan: StagePlan; old: Old | null }[];
  /** The stages that go, each with the slug of the stage that its deals move to. */
  removed: { old: Old; destination: string }[];
};

/**
 * Replaces the stages of a pipeline. A supplied stage whose slug exists keeps its record and its deals. Deals of a
 * removed stage go where `mapping` (old slug to new slug) says, else by `destinationOf`.
 * Answers faults instead, with places in the body, when the list or the mapping is not possible.
 */
export function replaceStages<Old extends StagePlan>(
  old: readonly Old[],
  supplied: readonly StageSent[],
  mapping: Readonly<Record<string, string>> = {},
): { replacement: StageReplacement<Old> } | { faults: FieldError[] } {
  const stages = supplied.map((sent, place) => {
    const before = old.find(({ slug }) => slug === sent.slug) ?? null;
    return { plan: completeStage(sent, place, before), old: before };
  });
  const plans = stages.map(({ plan }) => plan);
  const faults = [...stageListFaults(plans), ...mappingFaults(old, plans, mapping)];
  if (faults.length > 0) return { faults };
  const slugs = new Set(plans.map(({ slug }) => slug));
  const removed = old
    .filter(({ slug }) => !slugs.has(slug))
    .map((stage) => {
      const destination = Object.hasOwn(mapping, stage.slug)
        ? mapping[stage.slug]!
        : destinationOf(stage, plans).slug;
      return { old: stage, destination };
    });
  return { replacement: { stages, removed } };
}

/** What is wrong with a list of stages as such: none, no open one, a slug twice (at each repetition). */
export function stageListFaults(plans: readonly StagePlan[]): FieldError[] {
  if (plans.length === 0)
    return [
      fault('/stages', 'too_small', {
        en: 'stages must hold at least one stage',
        ja: 'stages にはステージを1つ以上指定してください',
      }),
    ];
  const faults = plans.flatMap(({ slug }, place): FieldError[] => {
    if (plans.findIndex((other) => other.slug === slug) === place) return [];
    return [
      fault(`/stages/${place}/slug`, 'duplicate', {
        en: `${slug} is the slug of another stage of the list`,
        ja: `slug の ${slug} がほかのステージと重複しています`,
      }),
    ];
  });
  if (!plans.some(({ type }) => type === 'open')) {
    faults.push(
      fault('/stages', 'no_open_stage', {
        en: 'stages must hold at least one of type open',
        ja: 'stages には type が open のステージを1つ以上含めてください',
      }),
    );
  }
  return faults;
}

/**
 * Where the deals of a removed stage go, in a list with at least one open stage: to the stage of the same
 * type with the nearest lower (or equal) `sort_order`, else the nearest higher, else to the first open stage.
 */
export function destinationOf<Stage extends StagePlan>(gone: StagePlan, stages: readonly Stage[]): Stage {
  const inOrder = stages.toSorted((left, right) => left.sort_order - right.sort_order);
  const alike = inOrder.filter(({ type }) => type === gone.type);
  const lower = alike.findLast(({ sort_order }) => sort_order <= gone.sort_order);
  const found = lower ?? alike[0] ?? inOrder.find(({ type }) => type === 'open');
  if (!found) throw new Error('A pipeline without an open stage cannot take deals');
  return found;
}

/** Where the deals of a stage go when their pipeline is removed: to the same slug, else by `destinationOf`. */
export function destinationInOtherPipeline<Stage extends StagePlan>(
  gone: StagePlan,
  stages: readonly Stage[],
): Stage {
  return stages.find(({ slug }) => slug === gone.slug) ?? destinationOf(gone, stages);
}

function mappingFaults(
  old: readonly StagePlan[],
  plans: readonly StagePlan[],
  mapping: Readonly<Record<string, string>>,
): FieldError[] {
  const isOld = (wanted: string) => old.some(({ slug }) => slug === wanted);
  const isNew = (wanted: string) => plans.some(({ slug }) => slug === wanted);
  return Object.entries(mapping).flatMap(([from, to]): FieldError[] => {
    const path = `/stage_mapping/${pointerPart(from)}`;
    if (!isOld(from))
      return [
        fault(path, 'unknown_slug', {
          en: `the pipeline has no stage with the slug ${from}`,
          ja: `パイプラインに slug が ${from} のステージはありません`,
        }),
      ];
    if (!isNew(to))
      return [
        fault(path, 'unknown_slug', {
          en: `stages holds none with the slug ${to}`,
          ja: `stages に slug が ${to} のステージはありません`,
        }),
      ];
    if (isNew(from) && from !== to)
      return [
        fault(path, 'stage_stays', {
          en: `${from} stays, and its deals stay in it`,
          ja: `${from} は残るため、その案件を移すことはできません`,
        }),
      ];
    return [];
  });
}

function pointerPart(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

function fault(path: string, code: string, message: Text): FieldError {
  return { in: 'body', path, code, message };
}
