/** Names that programs in terminals know the hall by. */

/** Tools of the hall's MCP door are told to agents under this name. */
export const mcpServerName = 'guild-hall';
export const mcpUrlVariable = 'GUILD_HALL_MCP_URL';
export const mcpTokenVariable = 'GUILD_HALL_MCP_TOKEN';
/** Folder in which hooks leave what they tell. */
export const signalsVariable = 'GUILD_HALL_SIGNALS';
/** The script that does. */
export const hookVariable = 'GUILD_HALL_HOOK';
