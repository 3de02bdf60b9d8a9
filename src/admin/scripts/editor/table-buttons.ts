// The buttons for the table at the caret, by the names of their changes in `table-edit.ts`.
export const tableButtons = ['editor_row_add', 'editor_column_add', 'editor_row_remove', 'editor_column_remove'] as const
