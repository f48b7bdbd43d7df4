import type { Lead, LeadScore, SalesPipeline } from "@leadloom/client"
import { useQuery } from "@tanstack/react-query"
import { Link, useParams } from "@tanstack/react-router"
import { useMemo } from "react"
import { useConnection } from "../app/Connection.ts"
import { useContactNames } from "../app/ContactNames.ts"
import { handleEvents } from "../app/Live.ts"
import { Loaded } from "../app/Loaded.tsx"
import { rowsOptions, useRows } from "../app/Rows.tsx"
import { Factors } from "../component/Factors.tsx"
import { Page, Row, Section } from "../component/Page.tsx"
import { longTime } from "../design/Time.ts"
import { EnrolButton } from "../sequence/EnrolButton.tsx"
import { leadText } from "../text/Lead.ts"
import { tierName } from "../text/Names.ts"
import { applyLeadEvent, leadOptions, pipelinesOptions } from "./LeadData.ts"
import { LeadForm } from "./LeadForm.tsx"
import { stagesOf } from "./LeadList.tsx"
import { StageSelect, StateSelect } from "./StageSelect.tsx"

handleEvents(applyLeadEvent)

const shownScores = 10

const History = ({ lead }: { readonly lead: Lead }) => {
  const { client, tenantId } = useConnection()
  const list = useRows(
    rowsOptions<LeadScore>([tenantId, "lead-scores", lead.id, lead.updated_at], async (cursor, signal) => {
      const page = await client.leads.listScores(tenantId, lead.id, { cursor, limit: shownScores, signal })
      return { rows: page.scores, next: page.next_cursor }
    })
  )
  const earlier = list.rows?.slice(1) ?? []
  return earlier.length === 0 ? null : (
    <details>
      <summary>{leadText.history}</summary>
      <ul>
        {earlier.map((one) => (
          <li key={one.id}>
            {one.score} {tierName(one.tier)}, <time dateTime={one.created_at}>{longTime(one.created_at)}</time>
          </li>
        ))}
      </ul>
    </details>
  )
}

const Score = ({ lead }: { readonly lead: Lead }) => (
  <Section title={leadText.score}>
    {lead.score === null ? (
      <p>{leadText.notScored}</p>
    ) : (
      <p>
        {lead.score} {tierName(lead.tier)}
      </p>
    )}
    <Factors label={leadText.factors} factors={lead.factors} />
    {lead.classification === null ? null : <p>{lead.classification.summary}</p>}
    <History lead={lead} />
  </Section>
)

const Detail = ({ lead, pipelines }: { readonly lead: Lead; readonly pipelines: ReadonlyArray<SalesPipeline> }) => {
  const contact = useContactNames(useMemo(() => [lead.contact_id], [lead.contact_id])).get(lead.contact_id)
  return (
    <Page
      title={lead.subject ?? leadText.untitled}
      actions={
        <>
          <Link to="/inbox/$contactId" params={{ contactId: lead.contact_id }}>
            {leadText.conversation}
          </Link>
          <EnrolButton contact={{ contactId: lead.contact_id, leadId: lead.id, name: contact ?? leadText.contact }} />
        </>
      }
      tools={
        <Row>
          <Link to="/contacts/$contactId" params={{ contactId: lead.contact_id }}>
            {contact ?? leadText.contact}
          </Link>
          <span>{leadText.stage}</span>
          <StageSelect lead={lead} stages={stagesOf(pipelines, lead)} />
          <span>{leadText.state}</span>
          <StateSelect lead={lead} />
          {lead.loss_reason === null ? null : (
            <span>
              {leadText.lossReason}: {lead.loss_reason}
            </span>
          )}
        </Row>
      }
    >
      <LeadForm lead={lead} />
      <Score lead={lead} />
    </Page>
  )
}

/** The page of one lead: its stage, its deal and its score. */
export const LeadPage = () => {
  const { leadId } = useParams({ from: "/signed-in/leads/$leadId" })
  const connection = useConnection()
  const lead = useQuery(leadOptions(connection, leadId))
  const pipelines = useQuery(pipelinesOptions(connection)).data?.pipelines ?? []
  return <Loaded query={lead}>{(data) => <Detail key={leadId} lead={data} pipelines={pipelines} />}</Loaded>
}
