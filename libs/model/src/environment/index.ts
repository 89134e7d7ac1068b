export * from './by-artifact';
export * from './describe';
export * from './environment';
export * from './packed-verdicts';
export { logicalMembers, MEMBERS_PROJECTED_SINCE } from './members';
export { type AttachmentDocument, policyAttachments, type PolicyUseDocument, policyUses } from './policy-uses';
export * from './replaced';
export * from './runs';
export * from './snapshot';
