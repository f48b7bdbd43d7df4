import type { Enrolment, Sequence } from "@leadloom/client"
import { useQuery } from "@tanstack/react-query"
import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router"
import { lazy, type ReactNode, Suspense, useMemo } from "react"
import { useConnection } from "../app/Connection.ts"
import { useContactNames } from "../app/ContactNames.ts"
import { Loaded } from "../app/Loaded.tsx"
import { useMay } from "../app/Permissions.ts"
import { useRows } from "../app/Rows.tsx"
import { Choice } from "../component/Choice.tsx"
import { Page } from "../component/Page.tsx"
import { Loading } from "../component/Problem.tsx"
import { Tabs } from "../component/Tabs.tsx"
import { sequenceText } from "../text/sequence/Sequence.ts"
import { Unsaved } from "../form/Unsaved.tsx"
import { text } from "../text/Shared.ts"
import { Conflict } from "./Conflict.tsx"
import { DeleteSequence } from "./DeleteSequence.tsx"
import { type Draft, useDraft } from "./Draft.ts"
import { EnrolContact } from "./EnrolContact.tsx"
import { EnrolmentTable } from "./EnrolmentTable.tsx"
import { PauseButton, PauseState } from "./PauseSequence.tsx"
import { PreviewPart } from "./PreviewPart.tsx"
import { SaveBar } from "./SaveBar.tsx"
import { SequenceEditor } from "./SequenceEditor.tsx"
import styles from "./Sequence.module.css"
import { enrolmentListOptions, sequenceOptions } from "./SequenceData.ts"
import { readSequenceSearch, type SequenceSearch, type SequenceTab, sequenceTabs } from "./SequenceSearch.ts"
import { StepList } from "./step/StepList.tsx"

const Simulation = lazy(() => import("./simulation/Simulation.tsx").then((module) => ({ default: module.Simulation })))
const Results = lazy(() => import("./result/Results.tsx").then((module) => ({ default: module.Results })))

const { enrolments: shown } = sequenceText

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
  readonly draft: Draft
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
  results: ({ sequence }) => (
    <Suspense fallback={<Loading />}>
      <Results sequence={sequence} />
    </Suspense>
  ),
  preview: ({ sequence }) => <PreviewPart sequence={sequence} />,
  simulation: ({ draft, sequence }) => (
    <Suspense fallback={<Loading />}>
      <Simulation sequence={sequence} fields={draft.fields} />
    </Suspense>
  ),
  edit: ({ draft }) => <SequenceEditor key={draft.base.version} fields={draft.fields} onChange={draft.change} />
}

const Detail = ({ sequence }: { readonly sequence: Sequence }) => {
  const search = useSearch({ from: "/signed-in/sequences/$sequenceId" })
  const navigate = useNavigate()
  const draft = useDraft(sequence)
  const may = { edit: useMay("sequences.update"), simulation: useMay("simulations.sequence") }
  const tabs = sequenceTabs.filter((one) => (one === "edit" || one === "simulation" ? may[one] : true))
  const tab = tabs.find((one) => one === search.tab) ?? "steps"
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
          <PauseButton sequence={sequence} />
          <DeleteSequence sequence={sequence} />
        </>
      }
    >
      <PauseState sequence={sequence} />
      <Unsaved isChanged={draft.isChanged} />
      {draft.conflict === null ? null : <Conflict draft={draft} theirs={draft.conflict} />}
      {draft.isChanged ? <SaveBar draft={draft} /> : null}
      <Tabs
        label={sequenceText.tabs.label}
        tabs={tabs.map((one) => [one, sequenceText.tabs[one]] as const)}
        selected={tab}
        onSelect={(next) => onSearch({ tab: next })}
      >
        {parts[tab]({ sequence, draft, search, onSearch })}
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
