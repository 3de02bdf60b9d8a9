// The parts of MCP beside tools, which old releases do not have.

import type { Services } from '../../../actions/call/services.ts'

/** True if `/mcp/` has resources, prompts, links to previews, progress and questions to the client. */
export const hasAllParts = ({ release }: Pick<Services, 'release'>): boolean => release.protocolParts === 'all'
