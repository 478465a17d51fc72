export const ruled = 1;
