import { layer as memory } from "@leadloom/core/port/MemoryStore"
import { assistantsSuite, callsSuite } from "@leadloom/testkit/port/CallsSuite"
import { assistantSuite } from "@leadloom/testkit/workflow/AssistantSuite"
import { callSuite } from "@leadloom/testkit/workflow/CallSuite"
import { silentCallSuite } from "@leadloom/testkit/workflow/SilentCallSuite"

callsSuite("memory", memory)
assistantsSuite("memory", memory)
assistantSuite("memory", memory)
callSuite("memory", memory)
silentCallSuite("memory", memory)
