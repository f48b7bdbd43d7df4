import type { Rule } from "@leadloom/client"
import { useLayoutEffect, useRef, useState } from "react"
import { Arrow } from "../component/Arrow.tsx"
import { Empty, Section } from "../component/Page.tsx"
import { ruleText } from "../text/Rules.ts"
import { text } from "../text/Shared.ts"
import { moveRule, newRule } from "./Edit.ts"
import blocks from "../design/Blocks.module.css"
import styles from "./Rule.module.css"
import { RuleEditor } from "./RuleEditor.tsx"
import { sentenceOf } from "./Sentence.ts"
import { StartRule } from "./StartRule.tsx"

interface RowProps {
  readonly rule: Rule
  readonly position: number
  readonly size: number
  readonly isOpen: boolean
  /** Whether the saved rule is the same, so that people can start it. */
  readonly isSaved: boolean
  readonly onOpen: (isOpen: boolean) => void
  readonly onChange: (rule: Rule) => void
  readonly onMove: (step: -1 | 1) => void
  readonly onRemove: () => void
}

interface MoveProps {
  readonly label: string
  readonly to: "up" | "down"
  /** False for the first rule upwards and the last one downwards. */
  readonly canMove: boolean
  readonly onMove: () => void
}

/** Moves a rule. The browser takes the focus from an element that moves in the document, so the button takes it back. */
const Move = ({ canMove, label, onMove, to }: MoveProps) => {
  const button = useRef<HTMLButtonElement>(null)
  const isMoving = useRef(false)
  useLayoutEffect(() => {
    if (isMoving.current) button.current?.focus()
    isMoving.current = false
  })
  const move = (): void => {
    if (!canMove) return
    isMoving.current = true
    onMove()
  }
  return (
    <button ref={button} type="button" aria-label={label} aria-disabled={!canMove} onClick={move}>
      <Arrow to={to} />
    </button>
  )
}

const RuleRow = ({ isOpen, isSaved, onChange, onMove, onOpen, onRemove, position, rule, size }: RowProps) => {
  const { actions: names } = ruleText
  const isOn = rule.enabled !== false
  return (
    <li className={blocks.card}>
      <div className={styles.head}>
        <strong className={isOn ? undefined : blocks.muted}>{rule.name}</strong>
        <label className={styles.switch}>
          <input
            type="checkbox"
            aria-label={names.enable(rule.name)}
            checked={isOn}
            onChange={(event) => onChange({ ...rule, enabled: event.target.checked })}
          />
          {isOn ? names.on : names.off}
        </label>
        <Move label={names.up(rule.name)} to="up" canMove={position > 0} onMove={() => onMove(-1)} />
        <Move label={names.down(rule.name)} to="down" canMove={position < size - 1} onMove={() => onMove(1)} />
        <button
          type="button"
          aria-label={isOpen ? undefined : names.edit(rule.name)}
          aria-expanded={isOpen}
          onClick={() => onOpen(!isOpen)}
        >
          {isOpen ? names.done : text.edit}
        </button>
        <button type="button" aria-label={names.remove(rule.name)} onClick={onRemove}>
          {text.remove}
        </button>
      </div>
      <p className={isOn ? styles.sentence : blocks.muted}>{sentenceOf(rule)}</p>
      {isOn && isSaved && rule.trigger?.type === "manual" ? <StartRule rule={rule} /> : null}
      {isOpen ? <RuleEditor rule={rule} onChange={onChange} /> : null}
    </li>
  )
}

const isSame = (one: Rule | undefined, other: Rule): boolean => JSON.stringify(one) === JSON.stringify(other)

interface RuleListProps {
  readonly rules: ReadonlyArray<Rule>
  /** The rules without the unsaved changes. */
  readonly saved: ReadonlyArray<Rule>
  readonly onChange: (rules: ReadonlyArray<Rule>) => void
}

/** The rules as sentences, in the order of evaluation. */
export const RuleList = ({ onChange, rules, saved }: RuleListProps) => {
  const [openId, setOpenId] = useState<string | null>(null)
  const add = (): void => {
    const added = newRule(rules, ruleText.newName)
    onChange([...rules, added])
    setOpenId(added.id)
  }
  return (
    <Section title={ruleText.list}>
      <p>{ruleText.help}</p>
      {rules.length === 0 ? <Empty>{ruleText.empty}</Empty> : null}
      <ol className={blocks.list}>
        {rules.map((rule, index) => (
          <RuleRow
            key={rule.id}
            rule={rule}
            position={index}
            size={rules.length}
            isOpen={rule.id === openId}
            isSaved={isSame(
              saved.find(({ id }) => id === rule.id),
              rule
            )}
            onOpen={(isOpen) => setOpenId(isOpen ? rule.id : null)}
            onChange={(next) => onChange(rules.with(index, next))}
            onMove={(step) => onChange(moveRule(rules, index, step))}
            onRemove={() => onChange(rules.filter(({ id }) => id !== rule.id))}
          />
        ))}
      </ol>
      <p>
        <button type="button" onClick={add}>
          {ruleText.actions.add}
        </button>
      </p>
    </Section>
  )
}
