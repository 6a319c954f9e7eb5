<?php
/**
 * Plugin Name: Acme, after
 * Description: faults.php with the remedy of each fault applied. Nothing is left to find.
 */

/** Registers an ability of the shelf; only what differs from a good one is given. */
function acme_ability( string $name, array $args, array $meta = array() ): void {
	wp_register_ability(
		$name,
		$args + array(
			'label'               => 'Shelf ' . $name,
			'description'         => "Find the things on the shelf $name and return their numbers.",
			'category'            => 'acme',
			'execute_callback'    => static fn() => array( 'ids' => array() ),
			'permission_callback' => static fn() => current_user_can( 'read' ),
			'output_schema'       => array(
				'type'       => 'object',
				'properties' => array( 'ids' => array( 'type' => 'array', 'items' => array( 'type' => 'integer' ) ) ),
			),
			'meta'                => $meta + array(
				'annotations' => array( 'readonly' => true, 'destructive' => false, 'idempotent' => true ),
				'public'      => true,
			),
		)
	);
}

/** An ability with one argument, thing. */
function acme_thing( string $name, $thing ): void {
	$thing = is_array( $thing ) ? $thing + array( 'description' => 'What is looked for.' ) : $thing;
	acme_ability( "acme/$name", array( 'input_schema' => array( 'type' => 'object', 'properties' => array( 'thing' => $thing ) ) ) );
}

/** The schema of an object with one text in it, below so many others. */
function acme_deep( int $levels, string $keyword ): array {
	$schema = array( 'type' => 'string', 'description' => 'The innermost.' );
	for ( ; $levels > 0; --$levels ) {
		$schema = 'items' === $keyword
			? array( 'type' => 'array', 'maxItems' => 9, 'description' => 'A list.', 'items' => $schema )
			: array( 'type' => 'object', 'description' => 'A box.', 'properties' => array( 'inner' => $schema ) );
	}
	return $schema;
}

add_action(
	'wp_abilities_api_categories_init',
	static fn() => wp_register_ability_category( 'acme', array( 'label' => 'Acme', 'description' => 'What Acme sells.' ) )
);

add_action(
	'wp_abilities_api_init',
	static function () {
		// The input as a whole.
		acme_ability( 'acme/root-not-object', array( 'input_schema' => array( 'type' => 'object', 'properties' => array( 'id' => array( 'type' => 'integer', 'description' => 'A number.' ) ) ) ) );
		acme_ability(
			'acme/root-combinator',
			array(
				'input_schema' => array(
					'type'       => 'object',
					'properties' => array(
						'id'   => array( 'type' => 'integer', 'description' => 'The number.' ),
						'slug' => array( 'type' => 'string', 'description' => 'The short name.' ),
					),
				),
			)
		);
		acme_thing( 'no-tool', acme_deep( 2, 'items' ) );

		// Objects.
		acme_ability( 'acme/properties-list', array() );
		acme_ability( 'acme/no-properties', array( 'input_schema' => array( 'type' => 'object', 'properties' => array( 'id' => array( 'type' => 'integer', 'description' => 'The number.' ) ) ) ) );
		acme_thing( 'not-a-schema', array( 'type' => 'string' ) );
		acme_ability(
			'acme/property-name',
			array( 'input_schema' => array( 'type' => 'object', 'properties' => array( 'filter_x' => array( 'type' => 'string', 'description' => 'What is looked for.' ) ) ) )
		);
		acme_ability(
			'acme/required-not-list',
			array(
				'input_schema' => array(
					'type'       => 'object',
					'properties' => array( 'thing' => array( 'type' => 'string', 'description' => 'What is looked for.' ) ),
					'required'   => array( 'thing' ),
				),
			)
		);
		acme_ability(
			'acme/required-unknown',
			array(
				'input_schema' => array(
					'type'       => 'object',
					'properties' => array(
						'thing' => array(
							'type'        => 'object',
							'description' => 'What is looked for.',
							'properties'  => array( 'id' => array( 'type' => 'integer', 'description' => 'The number.' ) ),
							'required'    => array( 'id' ),
						),
					),
				),
			)
		);
		acme_thing( 'too-deep', acme_deep( 3, 'properties' ) );

		// Types.
		acme_thing( 'unknown-type', array( 'type' => 'string', 'format' => 'date-time' ) );
		acme_thing( 'type-list', array( 'type' => 'integer' ) );
		acme_thing( 'no-type', array( 'type' => 'string' ) );
		acme_thing( 'no-items', array( 'type' => 'array', 'maxItems' => 9, 'items' => array( 'type' => 'string' ) ) );
		acme_thing( 'items-list', array( 'type' => 'array', 'maxItems' => 9, 'items' => array( 'type' => 'string' ) ) );
		acme_thing( 'enum-type', array( 'type' => 'string', 'enum' => array( '1', '2' ) ) );
		acme_thing( 'enum-empty-text', array( 'type' => 'string', 'enum' => array( 'new' ) ) );
		acme_thing( 'enum-values', array( 'type' => 'string', 'enum' => array_values( array_unique( array( 'new', 'old', 'new' ) ) ) ) );
		acme_thing( 'default-mismatch', array( 'type' => 'integer', 'default' => 10 ) );

		// Keywords.
		acme_thing( 'combinator', array( 'type' => 'string', 'description' => 'A name, or a number.' ) );
		acme_thing( 'exclusive-bound', array( 'type' => 'integer', 'minimum' => 1 ) );
		acme_thing( 'format', array( 'type' => 'string', 'description' => 'A colour, such as #aabbcc.' ) );
		acme_ability(
			'acme/reference',
			array(
				'input_schema' => array(
					'type'        => 'object',
					'properties'  => array( 'thing' => array( 'type' => 'string', 'description' => 'What is looked for.' ) ),
				),
			)
		);
		acme_thing( 'other-keyword', array( 'type' => 'integer', 'description' => 'How many, in fives.' ) );
		acme_thing( 'pattern', array( 'type' => 'string', 'pattern' => '^(a)$' ) );
		acme_thing( 'invalid-schema', array( 'type' => 'integer', 'minimum' => 1 ) );
		acme_ability(
			'acme/additional-properties',
			array(
				'input_schema' => array(
					'type'                 => 'object',
					'properties'           => array( 'thing' => array( 'type' => 'string', 'description' => 'What is looked for.' ) ),
				),
			)
		);
		acme_thing( 'length-limit', array( 'type' => 'string', 'description' => 'A text of at most 80 characters.' ) );

		// The answer.
		acme_ability( 'acme/output-not-object', array( 'output_schema' => array( 'type' => 'object', 'properties' => array( 'result' => array( 'type' => 'string' ) ) ) ) );
		acme_ability( 'acme/no-output-schema', array() );

		// The name, and who it is for.
		acme_ability( 'two-fa/tool-name', array() );
		acme_ability( 'acme/long-name', array() );
		acme_ability( 'acme/name-collision', array() );
		acme_ability( 'acme-name/other', array() );
		acme_ability( 'acme/visibility-conflict', array() );
		acme_ability( 'acme/mcp-unsaid', array(), array( 'public' => false, 'show_in_rest' => true, 'mcp' => array( 'public' => false ) ) );

		// Texts.
		acme_ability( 'acme/no-label', array( 'label' => 'Find things' ) );
		acme_ability( 'acme/no-category', array( 'category' => 'acme' ) );
		acme_ability( 'acme/no-description', array( 'label' => 'Find things', 'description' => 'Find the things that are on no shelf, and return their numbers.' ) );
		acme_ability( 'acme/description-length', array( 'description' => 'Find things on the shelf, and return their numbers, the newest first.' ) );
		acme_ability( 'acme/verb-first', array( 'description' => 'Return the numbers of the things on the first shelf of the shop.' ) );
		acme_ability( 'acme/markup', array( 'description' => 'Find the things on the second shelf and return their numbers.' ) );
		acme_ability( 'acme/route-text', array( 'description' => 'Find the things on the third shelf and return their numbers.' ) );
		acme_ability( 'acme/same-description', array( 'description' => 'Find the things on the fourth shelf and return their numbers.' ) );
		acme_ability( 'acme/same-description-too', array( 'description' => 'Find the things below the fourth shelf and return their numbers.' ) );
		acme_ability( 'acme/speaks-to-model', array( 'description' => 'Find the things on the fifth shelf. Returns their numbers, the newest first.' ) );
		acme_ability( 'acme/invisible-characters', array( 'description' => "Find the things on the sixth shelf and return their numbers." ) );

		// What is said of the effect.
		acme_ability( 'acme/missing-annotations', array(), array( 'annotations' => array( 'readonly' => false, 'destructive' => false, 'idempotent' => false ) ) );
		acme_ability( 'acme/annotation-type', array(), array( 'annotations' => array( 'readonly' => true, 'destructive' => false ) ) );
		acme_ability( 'acme/annotation-conflict', array(), array( 'annotations' => array( 'readonly' => false, 'destructive' => true, 'idempotent' => true ) ) );
		acme_ability( 'acme/delete-annotation-name', array(), array( 'annotations' => array( 'readonly' => false, 'destructive' => true, 'idempotent' => true ) ) );

		// Arguments.
		acme_ability( 'acme/undescribed-argument', array( 'input_schema' => array( 'type' => 'object', 'properties' => array( 'thing' => array( 'type' => 'string', 'description' => 'What is looked for.' ) ) ) ) );
		$many = array();
		foreach ( range( 'a', 'l' ) as $letter ) {
			$many[ $letter ] = array( 'type' => 'string', 'description' => "What begins with $letter." );
		}
		acme_ability( 'acme/many-arguments', array( 'input_schema' => array( 'type' => 'object', 'properties' => $many ) ) );
		acme_thing( 'long-enum', array( 'type' => 'string', 'enum' => array_map( static fn( $n ) => "thing-$n", range( 1, 30 ) ) ) );
		acme_ability(
			'acme/unbounded-list',
			array( 'input_schema' => array( 'type' => 'object', 'properties' => array( 'limit' => array( 'type' => 'integer', 'maximum' => 100, 'description' => 'How many.' ) ) ) )
		);
		acme_thing( 'large-query', array( 'type' => 'array', 'maxItems' => 100, 'items' => array( 'type' => 'integer' ) ) );
	}
);

add_action(
	'rest_api_init',
	static function () {
		$route = static fn( string $rule, array $thing ) => register_rest_route(
			'acme/v1',
			"/$rule",
			array(
				'methods'             => 'POST',
				'callback'            => static fn() => array(),
				'permission_callback' => static fn() => current_user_can( 'read' ),
				'args'                => array( 'thing' => $thing + array( 'type' => 'object', 'description' => 'What is made.' ) ),
			)
		);
		$route( 'required-on-property', array( 'properties' => array( 'id' => array( 'type' => 'integer', 'description' => 'The number.' ) ), 'required' => array( 'id' ) ) );
		$route( 'internal-keyword', array( 'properties' => array( 'id' => array( 'type' => 'string', 'description' => 'The number.') ) ) );
	}
);
