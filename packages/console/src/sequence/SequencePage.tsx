import type { Enrolment, Sequence } from "@leadloom/client"
import { useQuery } from "@tanstack/react-query"
import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router"
import { type ReactNode, useMemo } from "react"
import { useConnection } from "../app/Connection.ts"
import { useContactNames } from "../app/ContactNames.ts"
import { Loaded } from "../app/Loaded.tsx"
import { useRows } from "../app/Rows.tsx"
import { Choice } from "../component/Choice.tsx"
import { Page } from "../component/Page.tsx"
import { Tabs } from "../component/Tabs.tsx"
import { sequenceText } from "../text/sequence/Sequence.ts"
import { text } from "../text/Shared.ts"
import { EnrolContact } from "./EnrolContact.tsx"
import { EnrolmentTable } from "./EnrolmentTable.tsx"
import { PreviewPart } from "./PreviewPart.tsx"
import styles from "./Sequence.module.css"
import { enrolmentListOptions, sequenceOptions } from "./SequenceData.ts"
import { readSequenceSearch, type SequenceSearch, type SequenceTab, sequenceTabs } from "./SequenceSearch.ts"
import { StepList } from "./StepList.tsx"

const { enrolments: shown } = sequenceText

const tabs = sequenceTabs.map((tab) => [tab, sequenceText.tabs[tab]] as const)

/** The first column of the enrolments of a sequence: the contact. */
const useContactSubject = (rows: ReadonlyArray<Enrolment>) => {
  const names = useContactNames(useMemo(() => rows.map((row) => row.contact_id), [rows]))
  const nameOf = (enrolment: Enrolment): string => names.get(enrolment.contact_id) ?? text.unknownContact
  return {
    header: shown.columns.contact,
    nameOf,
    link: (enrolment: Enrolment) => (
      <Link to="/contacts/$contactId" params={{ contactId: enrolment.contact_id }}>
        {nameOf(enrolment)}
      </Link>
    )
  }
}

interface PartProps {
  readonly sequence: Sequence
  readonly search: SequenceSearch
  /** Changes the part of the address that selects the content. */
  readonly onSearch: (changed: Readonly<Record<string, unknown>>) => void
}

const noRows: ReadonlyArray<Enrolment> = []

const Enrolments = ({ onSearch, search: { state }, sequence }: PartProps) => {
  const filter = { sequenceId: sequence.id, ...(state === undefined ? {} : { state }) }
  const list = useRows(enrolmentListOptions(useConnection(), filter))
  const subject = useContactSubject(list.rows ?? noRows)
  return (
    <>
      <div className={styles.filters}>
        <Choice
          label={shown.state}
          value={state}
          options={shown.states}
          onChoose={(next) => onSearch({ state: next })}
        />
      </div>
      <EnrolmentTable list={list} subject={subject} empty={state === undefined ? shown.empty : shown.filtered} />
    </>
  )
}

const parts: Readonly<Record<SequenceTab, (props: PartProps) => ReactNode>> = {
  steps: ({ sequence }) => <StepList sequence={sequence} />,
  enrolments: (props) => <Enrolments {...props} />,
  preview: ({ sequence }) => <PreviewPart sequence={sequence} />
}

const Detail = ({ sequence }: { readonly sequence: Sequence }) => {
  const search = useSearch({ from: "/signed-in/sequences/$sequenceId" })
  const navigate = useNavigate()
  const { tab = "steps" } = search
  const onSearch = (changed: Readonly<Record<string, unknown>>): void =>
    void navigate({
      to: "/sequences/$sequenceId",
      params: { sequenceId: sequence.id },
      search: readSequenceSearch({ ...search, ...changed }),
      replace: true
    })
  return (
    <Page
      title={sequence.name}
      actions={
        <>
          <span>{sequenceText.version(sequence.version)}</span>
          <EnrolContact sequence={sequence} />
        </>
      }
    >
      <Tabs label={sequenceText.tabs.label} tabs={tabs} selected={tab} onSelect={(next) => onSearch({ tab: next })}>
        {parts[tab]({ sequence, search, onSearch })}
      </Tabs>
    </Page>
  )
}

/** The page of one sequence: its steps, and the contacts in it. */
export const SequencePage = () => {
  const { sequenceId } = useParams({ from: "/signed-in/sequences/$sequenceId" })
  const sequence = useQuery(sequenceOptions(useConnection(), sequenceId))
  return <Loaded query={sequence}>{(data) => <Detail key={sequenceId} sequence={data} />}</Loaded>
}
