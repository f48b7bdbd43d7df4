import type { SalesPipeline, UpdatePipeline } from "@leadloom/client"
import { contentText } from "../../text/Content.ts"
import { text } from "../../text/Shared.ts"
import type { Action, FormField, Listing, Values } from "../Listing.ts"
import { optionOf } from "../Values.ts"

const { pipelines: shown } = contentText

const nameField: FormField = { name: "name", label: shown.name }

const create: Action = {
  label: shown.create,
  message: shown.createNote,
  operation: "pipelines.create",
  fields: [nameField],
  send: async ({ client, tenantId }, { name = "" }) => {
    await client.pipelines.create(tenantId, { name })
    return null
  }
}

/** Returns a change of a pipeline, computed from the values of its form. */
const change = (
  { pipeline_id: id }: SalesPipeline,
  label: string,
  fields: ReadonlyArray<FormField>,
  patchOf: (values: Values) => UpdatePipeline
): Action => ({
  label,
  operation: "pipelines.update",
  fields,
  send: async ({ client, tenantId }, values) => {
    await client.pipelines.update(tenantId, id, patchOf(values))
    return null
  }
})

const rename = (pipeline: SalesPipeline): Action =>
  change(pipeline, contentText.rename, [{ ...nameField, initial: pipeline.name }], ({ name = "" }) => ({ name }))

const stageField = (stages: SalesPipeline["stages"]): FormField => ({
  name: "stage",
  label: shown.stage,
  options: Object.fromEntries(stages.map(({ name, stage_id: id }) => [id, name]))
})

const addStage = (pipeline: SalesPipeline): Action =>
  change(
    pipeline,
    shown.addStage,
    [nameField, { name: "state", label: shown.state, options: text.leadStates }],
    ({ name = "", state }) => ({
      stages: [...pipeline.stages, { name, state: optionOf(text.leadStates, state) ?? "open" }]
    })
  )

const renameStage = (pipeline: SalesPipeline): Action =>
  change(pipeline, shown.renameStage, [stageField(pipeline.stages), nameField], ({ name = "", stage: id }) => ({
    stages: pipeline.stages.map((stage) => (stage.stage_id === id ? { ...stage, name } : stage))
  }))

/** Returns the stages with one of them at another position. */
const withStageAt = (stages: SalesPipeline["stages"], id: string | undefined, position: number) => {
  const others = stages.filter((stage) => stage.stage_id !== id)
  return others.toSpliced(position - 1, 0, ...stages.filter((stage) => stage.stage_id === id))
}

const moveStage = (pipeline: SalesPipeline): Action => {
  const positions = Object.fromEntries(pipeline.stages.map((_, index) => [`${index + 1}`, `${index + 1}`]))
  const fields = [stageField(pipeline.stages), { name: "position", label: shown.position, options: positions }]
  return change(pipeline, shown.moveStage, fields, ({ position, stage: id }) => ({
    stages: withStageAt(pipeline.stages, id, Number(position))
  }))
}

/** Returns the stages of a pipeline that share their state with another one. Each state keeps at least one stage. */
const removable = ({ stages }: SalesPipeline): SalesPipeline["stages"] =>
  stages.filter(({ state }) => stages.filter((other) => other.state === state).length > 1)

const removeStage = (pipeline: SalesPipeline): Action =>
  change(pipeline, shown.removeStage, [stageField(removable(pipeline))], ({ stage: id = "" }) => {
    const stages = pipeline.stages.filter((stage) => stage.stage_id !== id)
    const removed = pipeline.stages.find((stage) => stage.stage_id === id)
    const target = stages.find(({ state }) => state === removed?.state)
    return { stages, ...(target === undefined ? {} : { moves: [{ from: id, to: target.stage_id }] }) }
  })

const remove = ({ name, pipeline_id: id }: SalesPipeline): Action => ({
  label: text.remove,
  message: shown.removeNote(name),
  operation: "pipelines.delete",
  send: async ({ client, tenantId }) => {
    await client.pipelines.delete(tenantId, id)
    return null
  }
})

/** The pipelines of leads with their stages. */
export const pipelineListing: Listing<SalesPipeline> = {
  title: shown.title,
  empty: shown.empty,
  operation: "pipelines.list",
  read: async ({ client, tenantId }, _, signal) => {
    const { pipelines: rows } = await client.pipelines.list(tenantId, { signal })
    return { rows, next: null }
  },
  keyOf: ({ pipeline_id: id }) => id,
  nameOf: ({ name }) => name,
  columns: () => [
    { header: shown.name, cell: ({ name }) => name },
    { header: shown.stages, cell: ({ stages }) => stages.map(({ name }) => name).join(", "), isDetail: true }
  ],
  general: [create],
  actions: (pipeline) => [
    rename(pipeline),
    addStage(pipeline),
    renameStage(pipeline),
    moveStage(pipeline),
    ...(removable(pipeline).length === 0 ? [] : [removeStage(pipeline)]),
    ...(pipeline.is_default ? [] : [remove(pipeline)])
  ]
}
