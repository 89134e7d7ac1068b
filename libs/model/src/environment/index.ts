export * from './describe';
export * from './environment';
export * from './kept-verdicts';
export { logicalMembers, MEMBERS_KEPT_SINCE } from './members';
export { type AttachmentDocument, policyAttachments, type PolicyUseDocument, policyUses } from './policy-uses';
export * from './replaced';
export * from './runs';
export * from './snapshot';
