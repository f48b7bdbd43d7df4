import { createContact } from "@leadloom/core/internal/workflow/contact/CreateContact"
import { type CrmContact, noFields, type SyncedFields } from "@leadloom/core/internal/domain/crm/CrmContact"
import { Effect } from "effect"

/** A person whom one or both sides have as a contact. `is`: the difference between the sides. */
export interface Person {
  readonly ours: SyncedFields | null
  readonly theirs: SyncedFields | null
  readonly is: "ours" | "theirs" | "same" | "without a number there" | "renamed there" | "tagged on both sides"
}

const differences = ["same", "without a number there", "renamed there", "tagged on both sides"] as const

const bothKnow = (number: number, person: SyncedFields): Person => {
  const is = differences[number % differences.length] ?? "same"
  switch (is) {
    case "same":
      return { is, ours: person, theirs: { ...person, email: person.email?.toUpperCase() ?? null } }
    case "without a number there":
      return { is, ours: person, theirs: { ...person, phone: null } }
    case "renamed there":
      return { is, ours: person, theirs: { ...person, name: `${person.name} Lee` } }
    case "tagged on both sides":
      return { is, ours: { ...person, tags: ["VIP"] }, theirs: { ...person, tags: ["lead"] } }
  }
}

/**
 * Creates `each` people for each side, half of whom are the same on both. Each side writes phone numbers in its own
 * format.
 */
export const peopleOf = (each: number): ReadonlyArray<Person> =>
  Array.from({ length: each + each / 2 }, (_, number) => {
    const digits = String(number).padStart(4, "0")
    const person: SyncedFields = {
      ...noFields,
      name: `Person ${number}`,
      email: `p${number}@customer.example`,
      phone: `+1415555${digits}`,
      tags: number % 2 === 0 ? [] : ["roof"]
    }
    if (number < each / 2) return { is: "ours", ours: person, theirs: null }
    return number < each ? bothKnow(number, person) : { is: "theirs", ours: null, theirs: person }
  })

/** Creates the local contacts. */
export const makeHere = (people: ReadonlyArray<Person>) =>
  Effect.forEach(people, ({ ours }) => (ours === null ? Effect.void : createContact("acme", ours)), { discard: true })

/** Returns the contacts of the CRM, in its format. */
export const contactsThere = (people: ReadonlyArray<Person>, locationId: string): ReadonlyArray<CrmContact> =>
  people.flatMap(({ theirs }, number) =>
    theirs === null ? [] : [{ ...theirs, crmContactId: `there-${number}`, locationId, smsOptOut: false }]
  )

/** Returns the number of writes that the first sync needs. Values that the other side already has need no write. */
export const writesFor = (people: ReadonlyArray<Person>): Readonly<Record<string, number>> => {
  const count = (wanted: (person: Person) => boolean): number => people.filter(wanted).length
  return {
    upsertContact: count(({ is }) => is === "ours"),
    addTags: count(({ is, ours }) => (is === "ours" && ours?.tags.length === 1) || is === "tagged on both sides"),
    updateContact: count(({ is }) => is === "without a number there"),
    removeTags: 0
  }
}

/** Returns the compared fields of people on one side, sorted. */
export const said = (people: ReadonlyArray<SyncedFields>): ReadonlyArray<unknown> =>
  people
    .map(({ email, name, phone, tags }) => ({
      email: email?.toLowerCase() ?? "",
      name,
      phone,
      tags: tags.map((tag) => tag.toLowerCase()).toSorted()
    }))
    .toSorted((one, other) => (one.email < other.email ? -1 : 1))
