import type { SalesPipeline } from "@leadloom/client"
import { useQuery } from "@tanstack/react-query"
import { Link, useNavigate, useSearch } from "@tanstack/react-router"
import { useConnection } from "../app/Connection.ts"
import { handleEvents } from "../app/Live.ts"
import { Loaded } from "../app/Loaded.tsx"
import { useUserNames } from "../app/Users.ts"
import { Choice } from "../component/Choice.tsx"
import { Page, Row } from "../component/Page.tsx"
import { leadText } from "../text/Lead.ts"
import { text } from "../text/Shared.ts"
import { Board } from "./Board.tsx"
import { applyLeadEvent, pipelinesOptions } from "./LeadData.ts"
import { type LeadSearch, readLeadSearch } from "./LeadSearch.ts"
import { LeadList } from "./LeadList.tsx"
import styles from "./Lead.module.css"

handleEvents(applyLeadEvent)

interface FiltersProps {
  readonly search: LeadSearch
  readonly pipelines: ReadonlyArray<SalesPipeline>
}

/** The filters of the leads. The board has its own stages and states, so it has no filter for them. */
const Filters = ({ pipelines, search }: FiltersProps) => {
  const navigate = useNavigate()
  const users = useUserNames()
  const { userId } = useConnection()
  const set = (changed: Readonly<Record<string, unknown>>): void =>
    void navigate({ to: "/leads", search: readLeadSearch({ ...search, ...changed }) })
  const stages = pipelines
    .filter(({ pipeline_id }) => search.pipelineId === undefined || search.pipelineId === pipeline_id)
    .flatMap((pipeline) => pipeline.stages)
  const owners = { ...Object.fromEntries(users), ...(userId === null ? {} : { [userId]: leadText.mine }) }
  return (
    <Row label={leadText.filters}>
      <Choice
        label={leadText.pipeline}
        value={search.pipelineId}
        options={Object.fromEntries(pipelines.map(({ name, pipeline_id }) => [pipeline_id, name]))}
        onChoose={(pipelineId) => set({ pipelineId, stageId: "" })}
      />
      {search.view === "board" ? null : (
        <>
          <Choice
            label={leadText.stage}
            value={search.stageId}
            options={Object.fromEntries(stages.map(({ name, stage_id }) => [stage_id, name]))}
            onChoose={(stageId) => set({ stageId })}
          />
          <Choice
            label={leadText.state}
            value={search.state}
            options={text.leadStates}
            onChoose={(state) => set({ state })}
          />
        </>
      )}
      <Choice
        label={leadText.tier}
        value={search.tier}
        options={{ ...text.tiers, ...leadText.tiers }}
        onChoose={(tier) => set({ tier })}
      />
      <Choice
        label={text.owner}
        value={search.assigneeId}
        options={owners}
        onChoose={(assigneeId) => set({ assigneeId })}
      />
    </Row>
  )
}

const ViewLinks = ({ search }: { readonly search: LeadSearch }) => (
  <nav aria-label={leadText.view} className={styles.filters}>
    {(["list", "board"] as const).map((view) => (
      <Link
        key={view}
        to="/leads"
        search={readLeadSearch({ ...search, stageId: "", state: "", view })}
        aria-current={(search.view ?? "list") === view ? "true" : undefined}
      >
        {leadText[view]}
      </Link>
    ))}
  </nav>
)

/** The leads as a list, or as the board of a pipeline. */
export const LeadsPage = () => {
  const search = useSearch({ from: "/signed-in/leads" })
  const pipelines = useQuery(pipelinesOptions(useConnection()))
  return (
    <Page
      title={leadText.title}
      actions={<ViewLinks search={search} />}
      tools={<Filters search={search} pipelines={pipelines.data?.pipelines ?? []} />}
    >
      <Loaded query={pipelines}>
        {({ pipelines: all }) =>
          search.view === "board" ? (
            <Board search={search} pipelines={all} />
          ) : (
            <LeadList search={search} pipelines={all} />
          )
        }
      </Loaded>
    </Page>
  )
}
