{{- define "assurance.name" -}}
{{- .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- end }}

{{- define "assurance.labels" -}}
app.kubernetes.io/name: assurance
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Values.image.tag | default .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{/* Labels by which the pods of one service are selected. Argument: {root, service}. */}}
{{- define "assurance.selector" -}}
app.kubernetes.io/name: assurance
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .service }}
{{- end }}

{{- define "assurance.image" -}}
{{- printf "%s:%s" .Values.image.repository (.Values.image.tag | default .Chart.AppVersion) -}}
{{- end }}

{{/* The services that the values ask for, as a list of names separated by blanks. */}}
{{- define "assurance.services" -}}
{{- if eq .Values.mode "standalone" -}}standalone{{- else -}}gateway ingestion projection notification-dispatcher audit-package{{- end -}}
{{- end }}

{{/* The service that callers reach. */}}
{{- define "assurance.front" -}}
{{- printf "%s-%s" (include "assurance.name" .) (ternary "standalone" "gateway" (eq .Values.mode "standalone")) -}}
{{- end }}

{{/* Stops the installation with a sentence that names the value to change. */}}
{{- define "assurance.check" -}}
{{- if not (has .Values.mode (list "services" "standalone")) -}}
{{- fail "mode must be services or standalone" -}}
{{- end -}}
{{- if not .Values.publicUrl -}}
{{- fail "publicUrl is required: the base URL under which callers reach the API" -}}
{{- end -}}
{{- if and (eq .Values.mode "services") (not .Values.kafka.brokers) -}}
{{- fail "kafka.brokers is required with mode: services" -}}
{{- end -}}
{{- if and (eq .Values.mode "standalone") .Values.kafka.cloudEventsTopic -}}
{{- fail "kafka.cloudEventsTopic needs mode: services" -}}
{{- end -}}
{{- with .Values.kafka.sasl -}}
{{- if not (has .mechanism (list "none" "plain" "scram-sha-256" "scram-sha-512" "oauthbearer")) -}}
{{- fail "kafka.sasl.mechanism must be none, plain, scram-sha-256, scram-sha-512 or oauthbearer" -}}
{{- end -}}
{{- if and (ne .mechanism "none") (not .secret) -}}
{{- fail "kafka.sasl.secret is required with kafka.sasl.mechanism" -}}
{{- end -}}
{{- end -}}
{{- range $name, $service := .Values.services -}}
{{- if and $service.autoscaling.enabled (eq $service.autoscaling.by "lag") (not (has $name (list "ingestion" "projection" "notification-dispatcher"))) -}}
{{- fail (printf "services.%s.autoscaling.by: only ingestion, projection and notification-dispatcher consume from Kafka" $name) -}}
{{- end -}}
{{- end -}}
{{- end }}

{{- define "assurance.secretVariable" -}}
- name: {{ .variable }}
  valueFrom:
    secretKeyRef: { name: {{ .from.name | quote }}, key: {{ .from.key | quote }} }
{{- end }}

{{/* Variables of one service. Argument: {root, service}. */}}
{{- define "assurance.environment" -}}
{{- $values := .root.Values -}}
{{- $name := include "assurance.name" .root -}}
- { name: ASSURANCE_HOST, value: 0.0.0.0 }
- { name: ASSURANCE_OPERATIONS_HOST, value: 0.0.0.0 }
# Those who route callers hear of the end of a pod up to some seconds after the pod.
- { name: ASSURANCE_STOP_DELAY_MS, value: {{ mul $values.stopDelaySeconds 1000 | quote }} }
- { name: ASSURANCE_PUBLIC_URL, value: {{ $values.publicUrl | quote }} }
- { name: ASSURANCE_REGION, value: {{ $values.region | quote }} }
{{ include "assurance.secretVariable" (dict "variable" "ASSURANCE_SECRET" "from" $values.secrets.installation) }}
{{- if $values.secrets.previous.name }}
{{ include "assurance.secretVariable" (dict "variable" "ASSURANCE_PREVIOUS_SECRET" "from" $values.secrets.previous) }}
{{- end }}
{{- if eq .service "standalone" }}
- { name: ASSURANCE_DATA_DIR, value: /var/lib/assurance }
{{- else }}
{{ include "assurance.secretVariable" (dict "variable" "MONGODB_URL" "from" $values.secrets.mongodb) }}
- { name: KAFKA_BROKERS, value: {{ $values.kafka.brokers | quote }} }
{{- with $values.kafka.tls }}
{{- if .enabled }}
- { name: ASSURANCE_KAFKA_TLS, value: "on" }
{{- if .secret }}
{{ include "assurance.secretVariable" (dict "variable" "ASSURANCE_KAFKA_CA" "from" (dict "name" .secret "key" "ca.crt")) }}
{{- if .clientCertificate }}
{{ include "assurance.secretVariable" (dict "variable" "ASSURANCE_KAFKA_CERTIFICATE" "from" (dict "name" .secret "key" "tls.crt")) }}
{{ include "assurance.secretVariable" (dict "variable" "ASSURANCE_KAFKA_KEY" "from" (dict "name" .secret "key" "tls.key")) }}
{{- end }}
{{- end }}
{{- end }}
{{- end }}
{{- with $values.kafka.sasl }}
{{- if ne .mechanism "none" }}
{{- $oauth := eq .mechanism "oauthbearer" }}
- { name: ASSURANCE_KAFKA_SASL, value: {{ .mechanism }} }
{{ include "assurance.secretVariable" (dict "variable" (ternary "ASSURANCE_KAFKA_CLIENT_ID" "ASSURANCE_KAFKA_USERNAME" $oauth) "from" (dict "name" .secret "key" "username")) }}
{{ include "assurance.secretVariable" (dict "variable" (ternary "ASSURANCE_KAFKA_CLIENT_SECRET" "ASSURANCE_KAFKA_PASSWORD" $oauth) "from" (dict "name" .secret "key" "password")) }}
{{- if $oauth }}
- { name: ASSURANCE_KAFKA_TOKEN_URL, value: {{ .tokenUrl | quote }} }
{{- with .scope }}
- { name: ASSURANCE_KAFKA_SCOPE, value: {{ . | quote }} }
{{- end }}
{{- end }}
{{- end }}
{{- end }}
{{- with $values.kafka.prefix }}
- { name: ASSURANCE_KAFKA_PREFIX, value: {{ . | quote }} }
{{- end }}
{{- if and $values.kafka.cloudEventsTopic (eq .service "notification-dispatcher") }}
- { name: ASSURANCE_CLOUDEVENTS_TOPIC, value: {{ $values.kafka.cloudEventsTopic | quote }} }
{{- end }}
{{- end }}
{{- if $values.blobs.bucket }}
- { name: ASSURANCE_BLOBS_STORE, value: {{ $values.blobs.store | quote }} }
- { name: ASSURANCE_BLOBS_BUCKET, value: {{ $values.blobs.bucket | quote }} }
- { name: ASSURANCE_BLOBS_PATH_STYLE, value: {{ ternary "on" "off" $values.blobs.pathStyle | quote }} }
- { name: ASSURANCE_BLOBS_ENCRYPTION, value: {{ $values.blobs.encryption | quote }} }
{{- range $variable, $value := dict "PREFIX" $values.blobs.prefix "ENDPOINT" $values.blobs.endpoint "REGION" $values.blobs.region "KMS_KEY" $values.blobs.kmsKey }}
{{- with $value }}
- { name: {{ printf "ASSURANCE_BLOBS_%s" $variable }}, value: {{ . | quote }} }
{{- end }}
{{- end }}
{{- end }}
{{- if $values.tls.secret }}
- { name: ASSURANCE_TLS_CERTIFICATE_FILE, value: /etc/assurance-tls/tls.crt }
- { name: ASSURANCE_TLS_KEY_FILE, value: /etc/assurance-tls/tls.key }
- { name: ASSURANCE_TLS_CA_FILE, value: /etc/assurance-tls/ca.crt }
{{- if and $values.tls.clientCertificates (not (has .service (list "gateway" "standalone"))) }}
- { name: ASSURANCE_TLS_CLIENT_CERTIFICATES, value: required }
{{- end }}
{{- end }}
{{- if eq .service "gateway" }}
{{- range $service := list "ingestion" "projection" "notification-dispatcher" "audit-package" }}
- { name: {{ printf "ASSURANCE_%s_URL" ($service | upper | replace "-" "_") }}, value: {{ printf "%s://%s-%s:8001" (ternary "https" "http" (not (empty $values.tls.secret))) $name $service | quote }} }
{{- end }}
{{- end }}
{{- if and $values.secrets.bootstrap.name (has .service (list "ingestion" "standalone")) }}
- { name: ASSURANCE_BOOTSTRAP_FILE, value: {{ printf "/etc/assurance/%s" $values.secrets.bootstrap.key | quote }} }
{{- end }}
{{- range $variable, $value := $values.settings }}
- { name: {{ $variable | quote }}, value: {{ $value | toString | quote }} }
{{- end }}
{{- end }}

{{/* The pod of one service. Argument: {root, service, resources}. */}}
{{- define "assurance.pod" -}}
{{- $root := .root -}}
{{- $values := .root.Values -}}
{{- $scheme := ternary ", scheme: HTTPS" "" (not (empty $values.tls.secret)) -}}
metadata:
  labels:
    {{- include "assurance.labels" $root | nindent 4 }}
    app.kubernetes.io/component: {{ .service }}
  {{- with $values.podAnnotations }}
  annotations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
spec:
  serviceAccountName: {{ include "assurance.name" $root }}
  automountServiceAccountToken: false
  {{- with $values.imagePullSecrets }}
  imagePullSecrets:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  securityContext:
    runAsNonRoot: true
    runAsUser: 1000
    runAsGroup: 1000
    fsGroup: 1000
    fsGroupChangePolicy: OnRootMismatch
    seccompProfile: { type: RuntimeDefault }
  # A process that ends still takes requests for a while, gives running ones 10 s to finish, and closes its engines.
  terminationGracePeriodSeconds: {{ add $values.stopDelaySeconds 25 }}
  containers:
    - name: {{ .service }}
      image: {{ include "assurance.image" $root | quote }}
      imagePullPolicy: {{ $values.image.pullPolicy }}
      command: [node, --max-semi-space-size=16, {{ printf "apps/%s/dist/main.js" .service }}]
      ports:
        - { name: http, containerPort: 8001 }
        - { name: operations, containerPort: 8002 }
      env:
        {{- include "assurance.environment" . | nindent 8 }}
      {{- with $values.secrets.environment }}
      envFrom:
        - secretRef: { name: {{ . | quote }} }
      {{- end }}
      startupProbe:
        httpGet: { path: /live, port: operations{{ $scheme }} }
        periodSeconds: 2
        failureThreshold: 60
      livenessProbe:
        httpGet: { path: /live, port: operations{{ $scheme }} }
        periodSeconds: 10
        timeoutSeconds: 5
        failureThreshold: 6
      readinessProbe:
        httpGet: { path: /ready, port: operations{{ $scheme }} }
        periodSeconds: 5
        timeoutSeconds: 3
      securityContext:
        allowPrivilegeEscalation: false
        readOnlyRootFilesystem: true
        capabilities: { drop: [ALL] }
      resources:
        {{- toYaml .resources | nindent 8 }}
      volumeMounts:
        - { name: tmp, mountPath: /tmp }
        {{- if eq .service "standalone" }}
        - { name: data, mountPath: /var/lib/assurance }
        {{- end }}
        {{- if and $values.secrets.bootstrap.name (has .service (list "ingestion" "standalone")) }}
        - { name: bootstrap, mountPath: /etc/assurance, readOnly: true }
        {{- end }}
        {{- if $values.tls.secret }}
        - { name: tls, mountPath: /etc/assurance-tls, readOnly: true }
        {{- end }}
        {{- if $values.secrets.certificates }}
        - { name: certificates, mountPath: /etc/assurance-certificates, readOnly: true }
        {{- end }}
  volumes:
    - name: tmp
      emptyDir: {}
    {{- if eq .service "standalone" }}
    - name: data
      persistentVolumeClaim:
        claimName: {{ $values.standalone.volume.existingClaim | default (printf "%s-data" (include "assurance.name" $root)) }}
    {{- end }}
    {{- if and $values.secrets.bootstrap.name (has .service (list "ingestion" "standalone")) }}
    - name: bootstrap
      secret: { secretName: {{ $values.secrets.bootstrap.name | quote }} }
    {{- end }}
    {{- with $values.tls.secret }}
    - name: tls
      secret: { secretName: {{ . | quote }} }
    {{- end }}
    {{- with $values.secrets.certificates }}
    - name: certificates
      secret: { secretName: {{ . | quote }} }
    {{- end }}
  {{- if and $values.topologySpread (ne .service "standalone") }}
  topologySpreadConstraints:
    {{- range $key := list "topology.kubernetes.io/zone" "kubernetes.io/hostname" }}
    - maxSkew: 1
      topologyKey: {{ $key }}
      whenUnsatisfiable: ScheduleAnyway
      labelSelector:
        matchLabels:
          {{- include "assurance.selector" $ | nindent 10 }}
    {{- end }}
  {{- end }}
  {{- with $values.nodeSelector }}
  nodeSelector:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with $values.tolerations }}
  tolerations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with $values.affinity }}
  affinity:
    {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end }}

{{/* The consumer groups of one service, as a list of names separated by blanks. Argument: {root, service}. */}}
{{- define "assurance.groups" -}}
{{- .service -}}
{{- if and (eq .service "notification-dispatcher") .root.Values.kafka.cloudEventsTopic }} cloudevents{{ end -}}
{{- end }}

{{/* What KEDA takes from Secrets to reach Kafka; empty where it needs nothing. */}}
{{- define "assurance.kafkaSecrets" -}}
{{- with .Values.kafka.tls }}
{{- if and .enabled .secret }}
- { parameter: ca, name: {{ .secret | quote }}, key: ca.crt }
{{- if .clientCertificate }}
- { parameter: cert, name: {{ .secret | quote }}, key: tls.crt }
- { parameter: key, name: {{ .secret | quote }}, key: tls.key }
{{- end }}
{{- end }}
{{- end }}
{{- with .Values.kafka.sasl }}
{{- if ne .mechanism "none" }}
- { parameter: username, name: {{ .secret | quote }}, key: username }
- { parameter: password, name: {{ .secret | quote }}, key: password }
{{- end }}
{{- end }}
{{- end }}

{{/* What the pods of one service may reach. Argument: {root, service}. */}}
{{- define "assurance.egress" -}}
{{- $values := .root.Values -}}
# Name servers, which clusters put in different places.
- ports:
    - { port: 53, protocol: UDP }
    - { port: 53, protocol: TCP }
{{- if eq .service "gateway" }}
- ports:
    - { port: http }
  to:
    - podSelector:
        matchLabels:
          app.kubernetes.io/name: assurance
          app.kubernetes.io/instance: {{ .root.Release.Name }}
{{- end }}
{{- $ports := list }}
{{- if ne .service "standalone" }}
{{- $ports = concat $ports $values.networkPolicy.egress.mongodbPorts }}
{{- range splitList "," $values.kafka.brokers }}
{{- $ports = append $ports (splitList ":" . | last | trim | int) }}
{{- end }}
{{- end }}
{{- if $values.blobs.bucket }}
{{- $ports = append $ports (regexFind "[0-9]+$" (get (urlParse $values.blobs.endpoint) "host") | default "443" | int) }}
{{- end }}
{{- with $ports | uniq }}
# MongoDB, Kafka and the bucket.
- ports:
    {{- range . }}
    - { port: {{ . }} }
    {{- end }}
  {{- with $values.networkPolicy.egress.stores }}
  to:
    {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end }}
{{- if or (has .service (list "gateway" "notification-dispatcher" "standalone")) $values.blobs.bucket $values.kafka.sasl.tokenUrl }}
# Public addresses: targets of messages, the provider of sign-ins, where the credentials of a bucket and tokens of Kafka come from.
- to:
    - ipBlock:
        cidr: 0.0.0.0/0
        except: [10.0.0.0/8, 100.64.0.0/10, 169.254.0.0/16, 172.16.0.0/12, 192.168.0.0/16]
    - ipBlock:
        cidr: "::/0"
        except: ["fc00::/7", "fe80::/10"]
{{- end }}
{{- with $values.networkPolicy.egress.more }}
{{ toYaml . }}
{{- end }}
{{- end }}
