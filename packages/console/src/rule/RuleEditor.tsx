import type { Rule } from "@leadloom/client"
import { useState } from "react"
import { Field } from "../component/Field.tsx"
import { Tabs } from "../component/Tabs.tsx"
import { ruleText } from "../text/Rules.ts"
import { actionTypes } from "../text/RuleVocabulary.ts"
import { ActionList } from "../form/ActionList.tsx"
import { ConditionGroup } from "./ConditionGroup.tsx"
import { asGroup } from "./Edit.ts"
import styles from "./Rule.module.css"
import { RuleJson } from "./RuleJson.tsx"
import { TriggerFields } from "./TriggerFields.tsx"
import { triggerTypeOf } from "./TriggerForm.ts"

interface RuleEditorProps {
  readonly rule: Rule
  readonly onChange: (rule: Rule) => void
}

const views = (["sentences", "json"] as const).map((view) => [view, ruleText.views[view]] as const)

/** The actions that need a message, and the one that rules for messages may not have. */
const ofMessages: ReadonlyArray<string> = ["reply", "forward", "suppress_reply", "stop"]
const ofOthers: ReadonlyArray<string> = ["send_template"]

const isOfMessages = (rule: Rule): boolean => triggerTypeOf(rule) === "message_received"

const typesFor = (rule: Rule) => {
  const unsuitable = isOfMessages(rule) ? ofOthers : ofMessages
  return actionTypes.filter((type) => !unsuitable.includes(type))
}

const Sentences = ({ onChange, rule }: RuleEditorProps) => (
  <>
    <Field label={ruleText.name}>
      {(control) => (
        <input
          {...control}
          value={rule.name}
          maxLength={200}
          onChange={(event) => onChange({ ...rule, name: event.target.value })}
        />
      )}
    </Field>
    <h3>{ruleText.conditions}</h3>
    <TriggerFields rule={rule} onChange={onChange} />
    <ConditionGroup
      group={asGroup(rule.when)}
      hasMessage={isOfMessages(rule)}
      onChange={(when) => onChange({ ...rule, when })}
    />
    <h3>{ruleText.consequences}</h3>
    <ActionList
      actions={rule.actions}
      types={typesFor(rule)}
      elsewhere={ruleText.inJson}
      onChange={(actions) => onChange({ ...rule, actions })}
    />
  </>
)

/** The editor of one rule: as sentences, or as JSON. */
export const RuleEditor = ({ onChange, rule }: RuleEditorProps) => {
  const [view, setView] = useState<(typeof views)[number][0]>("sentences")
  return (
    <div className={styles.editor} role="group" aria-label={ruleText.editor(rule.name)}>
      <Tabs label={ruleText.editor(rule.name)} tabs={views} selected={view} onSelect={setView}>
        {view === "sentences" ? (
          <Sentences rule={rule} onChange={onChange} />
        ) : (
          <RuleJson rule={rule} onChange={onChange} />
        )}
      </Tabs>
    </div>
  )
}
