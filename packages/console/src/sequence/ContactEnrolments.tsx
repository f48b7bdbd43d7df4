import type { Enrolment } from "@leadloom/client"
import { Link } from "@tanstack/react-router"
import { useConnection } from "../app/Connection.ts"
import { useRows } from "../app/Rows.tsx"
import { sequenceText } from "../text/sequence/Sequence.ts"
import { EnrolmentTable } from "./EnrolmentTable.tsx"
import { enrolmentListOptions, useSequenceNames } from "./SequenceData.ts"

const { enrolments: shown } = sequenceText

/** The first column of the enrolments of a contact: the sequence. A deleted one has no page. */
const useSequenceSubject = () => {
  const names = useSequenceNames()
  const nameOf = ({ sequence_id: id }: Enrolment): string =>
    names === undefined ? shown.columns.sequence : (names.get(id) ?? shown.deleted)
  return {
    header: shown.columns.sequence,
    nameOf,
    link: (enrolment: Enrolment) =>
      names?.has(enrolment.sequence_id) === false ? (
        nameOf(enrolment)
      ) : (
        <Link to="/sequences/$sequenceId" params={{ sequenceId: enrolment.sequence_id }}>
          {nameOf(enrolment)}
        </Link>
      )
  }
}

/** The sequences in which a contact is or was. */
export const ContactEnrolments = ({ contactId }: { readonly contactId: string }) => {
  const list = useRows(enrolmentListOptions(useConnection(), { contactId }))
  return <EnrolmentTable list={list} subject={useSequenceSubject()} empty={shown.ofContact} />
}
