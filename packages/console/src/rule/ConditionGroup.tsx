import type { Comparison, Condition } from "@leadloom/client"
import { ruleText } from "../text/Rules.ts"
import { text } from "../text/Shared.ts"
import { ComparisonFields } from "./ComparisonFields.tsx"
import { groupKinds, groupOf, kindOf, membersOf, startFor } from "./Edit.ts"
import blocks from "../design/Blocks.module.css"
import styles from "./Rule.module.css"

type Group = Exclude<Condition, Comparison>

interface GroupProps {
  readonly group: Group
  /** Whether the rule reacts to messages, so that conditions can compare them. */
  readonly hasMessage: boolean
  readonly onChange: (group: Group) => void
  /** Removes the group. The outermost group has no such button. */
  readonly onRemove?: () => void
}

interface MemberProps {
  readonly member: Condition
  readonly hasMessage: boolean
  readonly onChange: (member: Condition) => void
  readonly onRemove: () => void
}

const Member = ({ hasMessage, member, onChange, onRemove }: MemberProps) =>
  "fact" in member ? (
    <div className={styles.comparison}>
      <ComparisonFields comparison={member} hasMessage={hasMessage} onChange={onChange} />
      <button type="button" aria-label={ruleText.removeCondition} onClick={onRemove}>
        {text.remove}
      </button>
    </div>
  ) : (
    <ConditionGroup group={member} hasMessage={hasMessage} onChange={onChange} onRemove={onRemove} />
  )

/** A group of conditions. Groups within it are indented. The server limits the depth. */
export const ConditionGroup = ({ group, hasMessage, onChange, onRemove }: GroupProps) => {
  const kind = kindOf(group)
  const members = membersOf(group)
  const setMembers = (next: ReadonlyArray<Condition>): void => onChange(groupOf(kind, next))
  return (
    <fieldset className={blocks.group}>
      <div className={blocks.line}>
        <select
          aria-label={ruleText.group}
          value={kind}
          onChange={(event) => {
            const chosen = groupKinds.find((one) => one === event.target.value) ?? kind
            onChange(groupOf(chosen, members))
          }}
        >
          {groupKinds.map((one) => (
            <option key={one} value={one}>
              {ruleText.groups[one]}
            </option>
          ))}
        </select>
        {onRemove === undefined ? null : (
          <button type="button" onClick={onRemove}>
            {ruleText.removeGroup}
          </button>
        )}
      </div>
      <ul className={blocks.list}>
        {/* Conditions have no identity besides their position. */}
        {[...members.entries()].map(([position, member]) => (
          <li key={position}>
            <Member
              member={member}
              hasMessage={hasMessage}
              onChange={(next) => setMembers(members.with(position, next))}
              onRemove={() => setMembers(members.toSpliced(position, 1))}
            />
          </li>
        ))}
      </ul>
      <div className={styles.buttons}>
        <button type="button" onClick={() => setMembers([...members, startFor(hasMessage)])}>
          {ruleText.addCondition}
        </button>
        <button type="button" onClick={() => setMembers([...members, { any: [startFor(hasMessage)] }])}>
          {ruleText.addGroup}
        </button>
      </div>
    </fieldset>
  )
}
