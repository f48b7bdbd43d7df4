import type { BoardStage, Lead, SalesPipeline } from "@leadloom/client"
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { useMemo, useState } from "react"
import { useConnection } from "../app/Connection.ts"
import { useContactNames } from "../app/ContactNames.ts"
import { Loaded } from "../app/Loaded.tsx"
import { ShownRows, useRows } from "../app/Rows.tsx"
import { useUserNames } from "../app/Users.ts"
import { money } from "../design/Number.ts"
import { leadText } from "../text/Lead.ts"
import { tierName } from "../text/Names.ts"
import { text } from "../text/Shared.ts"
import { type Drag, dragSource, dropTarget } from "./Drag.ts"
import styles from "./Lead.module.css"
import { boardOptions, leadListOptions } from "./LeadData.ts"
import type { LeadSearch } from "./LeadSearch.ts"
import { mayMove, refuseMove, StageSelect, useStageMove } from "./StageSelect.tsx"

interface CardProps {
  readonly lead: Lead
  readonly contact: string | undefined
  readonly pipeline: SalesPipeline
  readonly drag: Drag
}

const Card = ({ contact, drag, lead, pipeline }: CardProps) => {
  const owner = useUserNames().get(lead.assignee_id ?? "") ?? lead.assignee
  const facts = [contact, tierName(lead.tier), money(lead.value, lead.currency), owner, lead.expected_close_on]
  return (
    <li ref={dragSource(lead, drag)} className={drag.lead?.id === lead.id ? styles.dragged : styles.card} draggable>
      <Link to="/leads/$leadId" params={{ leadId: lead.id }}>
        {lead.subject ?? leadText.untitled}
      </Link>
      <span className={styles.muted}>{facts.filter((fact) => fact !== null && fact !== undefined).join(" · ")}</span>
      <StageSelect lead={lead} stages={pipeline.stages} />
    </li>
  )
}

const noRows: ReadonlyArray<Lead> = []

interface StageProps {
  readonly stage: BoardStage
  readonly pipeline: SalesPipeline
  readonly search: LeadSearch
  readonly drag: Drag
  readonly onDrop: (lead: Lead, stage: BoardStage) => void
}

/** One stage with its leads, newest first. */
const Stage = ({ drag, onDrop, pipeline, search, stage }: StageProps) => {
  const { assigneeId, tier } = search
  const list = useRows(
    leadListOptions(useConnection(), { pipelineId: pipeline.pipeline_id, stageId: stage.stage_id, assigneeId, tier })
  )
  const { rows: leads = noRows } = list
  const contacts = useContactNames(useMemo(() => leads.map((lead) => lead.contact_id), [leads]))
  const sums = stage.values.map(({ currency, value }) => money(value, currency)).join(", ")
  const dragged = drag.lead
  const isOther = dragged !== null && dragged.stage_id !== stage.stage_id
  const isTarget = isOther && mayMove(dragged, stage)
  return (
    <section
      ref={dropTarget(isOther ? () => (isTarget ? onDrop(dragged, stage) : refuseMove(dragged, stage)) : null)}
      className={isTarget ? styles.target : styles.stage}
      aria-label={stage.name}
    >
      <h2>{stage.name}</h2>
      <p className={styles.muted}>{leadText.stageHead(stage.leads, sums)}</p>
      <ShownRows list={list} empty={<p className={styles.muted}>{leadText.emptyStage}</p>}>
        {(rows) => (
          <ul className={styles.cards}>
            {rows.map((lead) => (
              <Card key={lead.id} lead={lead} contact={contacts.get(lead.contact_id)} pipeline={pipeline} drag={drag} />
            ))}
          </ul>
        )}
      </ShownRows>
      {list.hasMore ? (
        <button type="button" onClick={() => void list.onMore()}>
          {text.more}
        </button>
      ) : null}
    </section>
  )
}

interface BoardProps {
  readonly search: LeadSearch
  readonly pipelines: ReadonlyArray<SalesPipeline>
}

const PipelineBoard = ({ pipeline, search }: { readonly pipeline: SalesPipeline; readonly search: LeadSearch }) => {
  const board = useQuery(boardOptions(useConnection(), pipeline.pipeline_id))
  const [dragged, setDragged] = useState<Lead | null>(null)
  const { dialog, moveTo } = useStageMove()
  const drag: Drag = { lead: dragged, onStart: setDragged, onEnd: () => setDragged(null) }
  return (
    <Loaded query={board}>
      {({ stages }) => (
        <>
          <div className={styles.board}>
            {stages.map((stage) => (
              <Stage
                key={stage.stage_id}
                stage={stage}
                pipeline={pipeline}
                search={search}
                drag={drag}
                onDrop={moveTo}
              />
            ))}
          </div>
          {dialog}
        </>
      )}
    </Loaded>
  )
}

/** The stages of a pipeline with their leads, counts and sums. Without a filter, the default pipeline is shown. */
export const Board = ({ pipelines, search }: BoardProps) => {
  const pipeline =
    pipelines.find(({ pipeline_id }) => pipeline_id === search.pipelineId) ??
    pipelines.find(({ is_default }) => is_default)
  return pipeline === undefined ? null : <PipelineBoard pipeline={pipeline} search={search} />
}
